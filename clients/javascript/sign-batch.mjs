// Signs every PDF of a folder and shows the progress: node sign-batch.mjs folder results
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Sinete } from 'sinete-client';

const [folder, results] = process.argv.slice(2);
const names = (await readdir(folder)).filter((name) => name.endsWith('.pdf')).sort();
const files = await Promise.all(names.map(async (name) => new File([await readFile(join(folder, name))], name)));
const onProgress = ({ phase, sent, size, signed, failed, documents }) => {
  console.log(
    phase === 'uploading'
      ? `uploading ${sent} of ${size} bytes`
      : `${phase}: ${signed} of ${documents} signed, ${failed} failed`,
  );
};
await mkdir(results, { recursive: true });
const sinete = await Sinete.at(process.env.SINETE_ADDRESS ?? 'http://127.0.0.1:17171');
for (const document of await sinete.sign(files, { type: 'PAdES', onProgress })) {
  const { name } = document.source;
  if (document.status === 'SIGNED') {
    const result = await document.download();
    await writeFile(join(results, name), Buffer.from(await result.arrayBuffer()));
  } else {
    console.log(`${name}: ${document.error?.code}: ${document.error?.detail}`);
  }
}
