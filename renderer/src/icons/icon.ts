import { createElement, type ComponentType, type SVGAttributes } from 'react';

/** What an icon takes besides the attributes of its `svg` element. */
export interface IconProps extends SVGAttributes<SVGSVGElement> {
  /** Width and height in CSS pixels. */
  readonly size?: number;
}

/** A line drawing in the colour of the text around it. */
export type Icon = ComponentType<IconProps>;

/** The elements of a drawing in a square of 24 units. */
type Drawing = readonly (readonly [element: string, attributes: Readonly<Record<string, string>>])[];

/** Makes a component of a drawing. Without a name it is hidden from assistive technology, because its text is beside it. */
export function icon(drawing: Drawing): Icon {
  return function DrawnIcon({ size = 24, ...rest }) {
    const isNamed = 'role' in rest || 'aria-label' in rest || 'aria-hidden' in rest;
    return createElement(
      'svg',
      {
        ...{ width: size, height: size, viewBox: '0 0 24 24', fill: 'none', stroke: 'currentColor', strokeWidth: 2 },
        ...{ strokeLinecap: 'round', strokeLinejoin: 'round', ...(isNamed ? {} : { 'aria-hidden': true }), ...rest },
      },
      ...drawing.map(([element, attributes]) => createElement(element, attributes)),
    );
  };
}
