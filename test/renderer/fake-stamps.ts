import { drawStamp } from '../../src/signing/pdf/appearance/stamp-painter.ts';
import { DEFAULT_STAMP_TEMPLATE, stampText } from '../../src/signing/index.ts';
import type { StampPlace, StampTemplateView } from '../../src/ui-contract/stamp-calls.ts';
import type { CallHandlers, CallName, CallOutput, CertificateView } from '../../src/ui-contract/ui-contract.ts';

type StampCall = Extract<CallName, `stamps.${string}`>;
type Handlers = { [Name in StampCall]?: (input: Parameters<CallHandlers[Name]>[0]) => CallOutput<Name> };

/** Templates and places of stamps, in memory; the preview is drawn by the core's own painter. */
export class FakeStamps {
  templates: StampTemplateView[] = [];
  readonly places = new Map<string, StampPlace>();
  readonly #certificates: () => readonly CertificateView[];

  constructor(certificates: () => readonly CertificateView[]) {
    this.#certificates = certificates;
  }

  readonly handlers: Handlers = {
    'stamps.list': () => this.templates,
    'stamps.preview': ({ alias, width, height, text, image, reason, location }) => {
      const holder = this.#certificates().find((one) => one.alias === alias);
      const words = stampText(text ?? DEFAULT_STAMP_TEMPLATE, {
        name: holder?.holder ?? '',
        cpf: '52998224725',
        reason,
        location,
        signingTime: new Date(),
      });
      const picture = { image: image === undefined ? undefined : Buffer.from(image, 'base64') };
      return { pdf: drawStamp({ width, height, text: words, ...picture }).toString('base64') };
    },
    'stamps.place': ({ alias }) => ({ place: this.places.get(alias) ?? null }),
    'stamps.keepPlace': ({ alias, place }) => {
      this.places.set(alias, place);
      return {};
    },
  };
}
