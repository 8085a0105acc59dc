import { icons } from '@iconify-json/lucide';
import type { Plugin } from 'vite';

/** The attributes of Lucide's groups, which `createIcon` gives to the whole picture. */
const OF_PICTURE = new Set([
  'fill="none"',
  'stroke="currentColor"',
  'stroke-linecap="round"',
  'stroke-linejoin="round"',
]);

/** An element of a picture: its name, and its attributes as React calls them. */
type Shape = readonly [name: string, attributes: Readonly<Record<string, string>>];

/** The shapes in the text of a picture, without the attributes that all pictures share. */
function readShapes(body: string): readonly Shape[] {
  return [...body.matchAll(/<(circle|ellipse|line|path|polygon|polyline|rect) ([^>]*)\/>/g)].map(([, name, text]) => {
    const attributes = [...(text ?? '').matchAll(/([a-z0-9-]+)="([^"]*)"/g)]
      .filter(([whole, key]) => !OF_PICTURE.has(whole) && key !== 'stroke-width')
      .map(([, key = '', value = '']) => [key.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase()), value]);
    return [name ?? '', Object.fromEntries(attributes) as Record<string, string>];
  });
}

/**
 * Makes a module of each icon of Lucide: `~icon/house` is the component that draws it. The published data is one file
 * of 1,700 icons, and the window gets only the shapes that it uses.
 */
export function iconModules(): Plugin {
  return {
    name: 'icon-modules',
    resolveId: (id) => (id.startsWith('~icon/') ? `\0${id}` : undefined),
    load(id) {
      if (!id.startsWith('\0~icon/')) return;
      const name = id.slice('\0~icon/'.length);
      const { body } =
        icons.icons[icons.aliases?.[name]?.parent ?? name] ?? this.error(`Lucide has no icon "${name}".`);
      const shapes = JSON.stringify(readShapes(body));
      return [
        `import { createIcon } from '/src/components/icons/create-icon.tsx';`,
        `export const Picture = /* @__PURE__ */ createIcon(${shapes});`,
      ].join('\n');
    },
  };
}
