import { createElement } from 'react';
import type { IconComponent, IconProps } from '~icon/*';

/** Makes a component of the shapes of an icon on a grid of 24 by 24. */
export function createIcon(
  shapes: readonly (readonly [name: string, attributes: Readonly<Record<string, string>>])[],
): IconComponent {
  return function Picture({ size = 24, ...props }: IconProps) {
    return (
      <svg
        width={size}
        height={size}
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth={2}
        strokeLinecap="round"
        strokeLinejoin="round"
        {...props}
      >
        {shapes.map(([name, attributes], index) => createElement(name, { ...attributes, key: index }))}
      </svg>
    );
  };
}
