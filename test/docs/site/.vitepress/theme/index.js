// Without the fonts that VitePress brings: the fonts of the system are there already.
export { default } from 'vitepress/theme-without-fonts';
