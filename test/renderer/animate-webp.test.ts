import { describe, expect, it } from 'vitest';
import { animateWebp } from './screenshots/animate-webp.ts';
import { sharedStage } from './shared-stage.ts';

const stage = sharedStage();

const size = { width: 40, height: 30 };

describe('an animated WebP file', () => {
  it('has each picture as a frame with its time, as Chromium decodes it', async () => {
    const { page } = await stage.open();
    const draw = async (colours: readonly string[]): Promise<string[]> =>
      page.evaluate(
        ([list, { width, height }]) =>
          list.map((colour) => {
            const canvas = document.createElement('canvas');
            Object.assign(canvas, { width, height });
            const pen = canvas.getContext('2d');
            if (pen === null) throw new Error('no canvas');
            pen.fillStyle = colour;
            pen.fillRect(0, 0, width, height);
            return canvas.toDataURL('image/webp', 0.9).split(',')[1] ?? '';
          }),
        [colours, size] as const,
      );
    const pictures = await draw(['#ff0000', '#0000ff']);
    const frames = pictures.map((picture, index) => ({
      picture: Buffer.from(picture, 'base64'),
      milliseconds: 500 + index * 250,
    }));
    const file = animateWebp(frames, size).toString('base64');
    const seen = await page.evaluate(async (text) => {
      const data = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
      const decoder = new ImageDecoder({ data, type: 'image/webp' });
      await decoder.tracks.ready;
      const track = decoder.tracks.selectedTrack;
      const found = [];
      for (let frameIndex = 0; frameIndex < (track?.frameCount ?? 0); frameIndex += 1) {
        const { image } = await decoder.decode({ frameIndex });
        found.push([image.displayWidth, image.displayHeight, (image.duration ?? 0) / 1000]);
      }
      return { found, repeats: track?.repetitionCount === Infinity };
    }, file);
    expect(seen).toEqual({
      found: [
        [40, 30, 500],
        [40, 30, 750],
      ],
      repeats: true,
    });
  });
});
