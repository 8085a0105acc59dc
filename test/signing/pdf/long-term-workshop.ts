/** A scratch folder with a test authority, and short ways to sign and raise at a level. */
import type { PdfLevel, PdfLevelOptions } from '../../../src/signing/pdf/long-term/level.ts';
import { raisePdf, type RaisePdfResult } from '../../../src/signing/pdf/long-term/raise-pdf.ts';
import { signPdfAtLevel } from '../../../src/signing/pdf/long-term/sign-pdf-at-level.ts';
import type { DetachedSigner, SignPdfRequest, SignPdfResult } from '../../../src/signing/pdf/sign-request.ts';
import { buildPdf, onePage } from './build-pdf.ts';
import { openLongTermAuthority, type LongTermAuthority } from './long-term-authority.ts';
import { SIGNING_TIME, Workshop } from './workshop.ts';

export class LongTermWorkshop {
  readonly workshop: Workshop;
  readonly authority: LongTermAuthority;

  private constructor(workshop: Workshop, authority: LongTermAuthority) {
    this.workshop = workshop;
    this.authority = authority;
  }

  static async open(): Promise<LongTermWorkshop> {
    return new LongTermWorkshop(...(await Promise.all([Workshop.open(), openLongTermAuthority()])));
  }

  async close(): Promise<void> {
    await this.authority.close();
    await this.workshop.close();
  }

  /** A PDF nobody signed. */
  plain(): Promise<string> {
    return this.workshop.write(buildPdf(onePage()));
  }

  options(level: PdfLevel): PdfLevelOptions {
    const { timestamper, collector } = this.authority;
    return { level, timestamper, collector };
  }

  request(inputPath: string, signer: DetachedSigner = this.authority.signer): SignPdfRequest {
    const options = { subFilter: 'ETSI.CAdES.detached', signingTime: SIGNING_TIME } as const;
    return { inputPath, outputPath: this.workshop.newPath(), signer, options };
  }

  /** Signs `inputPath` at a level; `change` replaces parts of the options. */
  async sign(
    inputPath: string,
    level: PdfLevel,
    change: Partial<PdfLevelOptions> = {},
  ): Promise<SignPdfResult & { readonly path: string }> {
    const request = this.request(inputPath);
    const result = await signPdfAtLevel(request, { ...this.options(level), ...change });
    return { ...result, path: request.outputPath };
  }

  /** Raises `inputPath` to a level; `change` replaces parts of the options. */
  async raise(
    inputPath: string,
    level: PdfLevel,
    change: Partial<PdfLevelOptions> = {},
  ): Promise<RaisePdfResult & { readonly path: string }> {
    const outputPath = this.workshop.newPath();
    return { ...(await raisePdf({ inputPath, outputPath, ...this.options(level), ...change })), path: outputPath };
  }
}
