import {
  Button,
  createTheme,
  defaultVariantColorsResolver,
  type CSSVariablesResolver,
  type MantineColorScheme,
  type MantineColorsTuple,
} from '@mantine/core';

/** The colour schemes that a user may choose. */
export const schemes = ['auto', 'light', 'dark'] as const satisfies readonly MantineColorScheme[];

/** The product's colour: the green of sealing ink. */
const seal: MantineColorsTuple = [
  '#ecf8f6',
  '#d8efeb',
  '#b0e0d8',
  '#84d0c4',
  '#5cc0b1',
  '#3aaa9a',
  '#1f9383',
  '#127e70',
  '#0b6e63',
  '#07564d',
];

/** Neutral greys of the dark scheme, a little cool, so that the seal colour is the only accent. */
const dark: MantineColorsTuple = [
  '#dfe3e6',
  '#c4cacf',
  '#a5adb4',
  '#7c868e',
  '#48525a',
  '#384149',
  '#2a3138',
  '#1f252b',
  '#171c21',
  '#101418',
];

/** The look of the product. Shade 8 under white, and 4 under near-black, keep text on filled surfaces above 4.5:1. */
export const theme = createTheme({
  primaryColor: 'seal',
  colors: { seal, dark },
  primaryShade: { light: 8, dark: 4 },
  // Mantine computes the contrast of the light scheme; filled surfaces are pale in the dark scheme.
  variantColorResolver: (input) => ({
    ...defaultVariantColorsResolver(input),
    ...(input.variant === 'filled' ? { color: 'var(--sinete-on-filled)' } : {}),
  }),
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily:
    '"Inter Variable", "Segoe UI Variable Text", "Segoe UI", system-ui, -apple-system, "Noto Sans", Cantarell, Ubuntu, sans-serif',
  fontFamilyMonospace: '"Cascadia Mono", "SF Mono", ui-monospace, "DejaVu Sans Mono", Menlo, monospace',
  components: {
    Checkbox: { vars: () => ({ root: { '--checkbox-icon-color': 'var(--sinete-on-filled)' } }) },
    // Small buttons keep the text size of the others.
    Button: Button.extend({
      vars: (_theme, props) => ({ root: props.size === 'xs' ? { '--button-fz': 'var(--mantine-font-size-sm)' } : {} }),
    }),
  },
  headings: { fontWeight: '650', sizes: { h1: { fontSize: '1.625rem' }, h2: { fontSize: '1.0625rem' } } },
});

/** Surfaces: a tinted page with plain cards, in both schemes. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-body': '#f6f8f8',
    '--mantine-color-dimmed': '#55626b',
    '--mantine-color-placeholder': '#68757e',
    '--mantine-color-error': '#b3261e',
    '--sinete-on-filled': '#ffffff',
    '--sinete-surface': '#ffffff',
    '--sinete-line': '#dfe5e7',
    '--sinete-hover': '#eef3f3',
    '--sinete-accent': '#0b6e63',
    '--sinete-accent-soft': '#e3f2ef',
  },
  dark: {
    '--mantine-color-body': '#12161a',
    '--mantine-color-dimmed': '#a5adb4',
    '--mantine-color-placeholder': '#8d979f',
    '--mantine-color-error': '#ff9d94',
    '--sinete-on-filled': '#0b1614',
    '--sinete-surface': '#1a1f24',
    '--sinete-line': '#2c343b',
    '--sinete-hover': '#222930',
    '--sinete-accent': '#6fcdbf',
    '--sinete-accent-soft': '#17312e',
  },
});
