/** The modules that `renderer/icon-modules.ts` makes. */
declare module '~icon/*' {
  import type { ComponentType, SVGProps } from 'react';

  /** `size` is the width and height in pixels. */
  export type IconProps = SVGProps<SVGSVGElement> & { readonly size?: number };
  /** A picture in the colour of the text around it. */
  export type IconComponent = ComponentType<IconProps>;
  export const Picture: IconComponent;
}
