import { defineConfig, type ViteUserConfig } from 'vitest/config';
import usual from './vitest.config.ts';

/** The usual configuration with the test files of a named suite instead of those of `npm test`. */
export function suiteConfig(include: string[], env: Record<string, string> = {}): ViteUserConfig {
  const { projects, ...test } = usual.test ?? {};
  if (projects === undefined) throw new Error('The usual configuration has no projects to replace.');
  return defineConfig({ ...usual, test: { ...test, include, exclude: ['test/.work/**', '**/node_modules/**'], env } });
}
