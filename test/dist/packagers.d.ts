/** The part of the packagers' interfaces that is used here, so that types are checked where they are not installed. */

declare module '@electron/asar' {
  export function createPackage(source: string, archive: string): Promise<void>;
  export function extractFile(archive: string, path: string): Buffer;
  export function getRawHeader(archive: string): { readonly header: object };
  export function listPackage(archive: string, options: { readonly isPack: boolean }): string[];
}

declare module '@electron/fuses' {
  export const FuseV1Options: {
    readonly RunAsNode: 0;
    readonly EnableCookieEncryption: 1;
    readonly EnableNodeOptionsEnvironmentVariable: 2;
    readonly EnableNodeCliInspectArguments: 3;
    readonly EnableEmbeddedAsarIntegrityValidation: 4;
    readonly OnlyLoadAppFromAsar: 5;
    readonly LoadBrowserProcessSpecificV8Snapshot: 6;
    readonly GrantFileProtocolExtraPrivileges: 7;
  };
  export type FuseV1Options = (typeof FuseV1Options)[keyof typeof FuseV1Options];
  export function getCurrentFuseWire(program: string): Promise<Readonly<Record<FuseV1Options, unknown>>>;
}

declare module 'electron-builder' {
  export const Arch: { readonly x64: 1 };
  export type Arch = (typeof Arch)[keyof typeof Arch];
  export class Platform {
    static readonly LINUX: Platform;
    createTarget(target: string, ...archs: readonly Arch[]): Map<Platform, Map<Arch, readonly string[]>>;
  }
  export function build(options: {
    readonly projectDir: string;
    readonly targets: Map<Platform, Map<Arch, readonly string[]>>;
    readonly publish: 'never';
    readonly config: {
      readonly extends: string;
      readonly electronDist: string;
      readonly electronVersion: string;
      readonly afterPack: (context: { readonly packager: object }) => Promise<void>;
    };
  }): Promise<readonly string[]>;
}

declare module 'app-builder-lib/out/linuxPackager.js' {
  export class LinuxPackager {
    readonly platformSpecificBuildOptions: object;
  }
}

declare module 'app-builder-lib/out/targets/LinuxTargetHelper.js' {
  import type { LinuxPackager } from 'app-builder-lib/out/linuxPackager.js';

  export class LinuxTargetHelper {
    constructor(packager: LinuxPackager);
    computeDesktopEntry(options: object): Promise<string>;
  }
}
