// Without the fonts of VitePress: the fonts of the system are there already.
export { default } from 'vitepress/theme-without-fonts';
