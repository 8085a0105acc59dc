/** The part of the linters' interfaces used here, to check types where the linters are not installed. */

declare module '@redocly/openapi-core' {
  export interface Problem {
    readonly severity: string;
    readonly ruleId: string;
    readonly message: string;
    readonly location: readonly { readonly pointer?: string }[];
  }
  export function createConfig(config: { readonly extends: readonly string[] }): Promise<unknown>;
  export function lintFromString(options: {
    readonly source: string;
    readonly absoluteRef: string;
    readonly config: unknown;
  }): Promise<readonly Problem[]>;
}

declare module '@stoplight/spectral-core' {
  export class Spectral {
    setRuleset(ruleset: { readonly extends: readonly unknown[] }): void;
    run(document: unknown): Promise<
      readonly {
        readonly severity: number;
        readonly code: string | number;
        readonly message: string;
        readonly path: readonly (string | number)[];
      }[]
    >;
  }
}

declare module '@stoplight/spectral-rulesets' {
  export const oas: unknown;
}
