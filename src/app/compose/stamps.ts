import { createHash, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { ServiceError } from '../../service/errors/index.ts';
import type { SettingsStore } from '../../service/settings/index.ts';
import { pdfAppearance } from '../../service/transactions/index.ts';
import { parseCertificate, readIcpBrasilIdentity, type AliasedKey, type WorkerPool } from '../../signing/index.ts';
import type { CallInput } from '../../ui-contract/ui-contract.ts';
import {
  stampPlace,
  stampTemplateView,
  type StampPlace,
  type StampTemplateView,
} from '../../ui-contract/stamp-calls.ts';

const templatesSetting = 'stamps.templates';
const placesSetting = 'stamps.places';

/**
 * Maximum number of templates of the user, and of people whose last place is remembered. The oldest place is forgotten
 * first.
 */
const mostTemplates = 24;
const mostPlaces = 200;

const storedPlaces = z.array(z.object({ person: z.string(), place: stampPlace }));

/** Templates of stamps, each person's place, and previews. */
export class Stamps {
  readonly #settings: SettingsStore;
  readonly #workers: Pick<WorkerPool, 'drawStamp'>;
  readonly #now: () => Date;
  readonly #checkPage: string | undefined;

  /** @param options.checkPage the page that stamps name, by the configuration */
  constructor(
    settings: SettingsStore,
    workers: Pick<WorkerPool, 'drawStamp'>,
    options: { readonly now: () => Date; readonly checkPage?: string },
  ) {
    this.#settings = settings;
    this.#workers = workers;
    this.#now = options.now;
    this.#checkPage = options.checkPage;
  }

  /** The user's own templates, in the order of creation. */
  async list(): Promise<StampTemplateView[]> {
    return z.array(stampTemplateView).parse((await this.#settings.read(templatesSetting)) ?? []);
  }

  /** Adds a template, or replaces the template with its id. Rejects with `PDF_APPEARANCE_INVALID` too. */
  async save(entry: Omit<CallInput<'stamps.save'>, 'id'> & { readonly id?: string }): Promise<StampTemplateView> {
    const saved = { id: entry.id ?? randomUUID(), name: entry.name, text: entry.text, image: entry.image ?? null };
    const text = entry.text.trim() === '' ? '' : 'x';
    // Drawn once, so that an unusable image is refused now and not while documents wait.
    await this.#workers.drawStamp({ width: 200, height: 80, text, ...imageOf(entry.image) });
    const present = await this.list();
    const isKnown = present.some(({ id }) => id === saved.id);
    if (entry.id !== undefined && !isKnown) throw notFound();
    if (!isKnown && present.length >= mostTemplates) {
      throw new ServiceError('REQUEST_INVALID', `At most ${mostTemplates} templates are kept. Remove one first.`);
    }
    const next = isKnown ? present.map((one) => (one.id === saved.id ? saved : one)) : [...present, saved];
    await this.#settings.write(templatesSetting, next);
    return saved;
  }

  async remove(id: string): Promise<void> {
    const present = await this.list();
    const others = present.filter((one) => one.id !== id);
    if (others.length === present.length) throw notFound();
    await this.#settings.write(templatesSetting, others);
  }

  /** A PDF with one page and the stamp of this certificate's holder, drawn as signing would draw it now. */
  async preview(key: AliasedKey, input: Omit<CallInput<'stamps.preview'>, 'alias'>): Promise<Buffer> {
    const { width, height, text, image, reason, location } = input;
    const place = { pages: [1], x: 0, y: 0, width, height };
    const words = { text, image };
    const texts = { reason, location };
    const { title, framed, code, ...appearance } = await pdfAppearance(
      { ...place, ...words },
      {
        setting: { id: 'default', ...texts },
        signingTime: this.#now(),
        certificate: key.certificate,
        checkPage: this.#checkPage,
      },
    );
    const shown = { text: appearance.text, title, framed, code };
    return this.#workers.drawStamp({ width, height, ...shown, ...imageOf(image) });
  }

  async place(key: AliasedKey): Promise<StampPlace | null> {
    const person = personOf(key);
    return (await this.#places()).find((one) => one.person === person)?.place ?? null;
  }

  async keepPlace(key: AliasedKey, place: StampPlace): Promise<void> {
    const person = personOf(key);
    const others = (await this.#places()).filter((one) => one.person !== person);
    await this.#settings.write(placesSetting, [...others, { person, place }].slice(-mostPlaces));
  }

  async #places(): Promise<z.output<typeof storedPlaces>> {
    const read = storedPlaces.safeParse((await this.#settings.read(placesSetting)) ?? []);
    return read.success ? read.data : [];
  }
}

const imageOf = (base64: string | undefined): { readonly image?: Buffer } => ({
  image: base64 === undefined ? undefined : Buffer.from(base64, 'base64'),
});

const notFound = (): ServiceError => new ServiceError('NOT_FOUND', 'This template of a stamp is not here any more.');

/** Identifies a certificate's holder, also after a renewal: a digest, so that the settings hold no taxpayer number. */
function personOf({ certificate }: AliasedKey): string {
  const parsed = parseCertificate(certificate);
  const identity = readIcpBrasilIdentity(parsed);
  const name = identity?.cnpj ?? identity?.cpf ?? parsed.commonName;
  return createHash('sha256').update(`stamp place of ${name}`).digest('hex').slice(0, 32);
}
