/**
 * The environment of a thread: the folder of compiled code alone. Without that folder, each thread of a checkout compiles
 * the WebAssembly by which Node strips types. That takes longer than the rest of the thread's start, and V8 has ended
 * processes whose threads come and go with WebAssembly (nodejs/node issue 64500).
 */
export function threadEnvironment(): Readonly<Record<string, string>> {
  const folder = process.env['NODE_COMPILE_CACHE'];
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: folder };
}
