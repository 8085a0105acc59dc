/**
 * Child process of `run-bench.ts`: runs the benchmark file named in its argument and sends a `BenchReport`. With
 * `load-only` behind it, the file is only loaded; `short` asks for a smaller form.
 */
import { pathToFileURL } from 'node:url';
import type { Benchmark, BenchReport } from './harness.ts';

const [file, form] = process.argv.slice(2);
if (file === undefined || process.send === undefined) throw new Error('This file is started by run-bench.ts.');

const { benchmark } = (await import(pathToFileURL(file).href)) as { readonly benchmark: Benchmark };
if (form !== 'load-only') {
  const lines = await benchmark.run({ isShort: form === 'short' });
  const report: BenchReport = {
    name: benchmark.name,
    lines,
    peakMegabytes: (process.resourceUsage().maxRSS * 1024) / 1e6,
    peakMegabytesAtMost: benchmark.peakMegabytesAtMost,
  };
  process.send(report, () => process.exit());
} else {
  process.exit();
}
