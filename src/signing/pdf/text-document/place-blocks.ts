/** Breaks paragraphs into lines, and lines into pages. */
import { showableLines } from '../appearance/script-text.ts';
import { wrap, type Measure } from '../appearance/stamp-text.ts';
import type { TextBlock } from './text-block.ts';

/** A line on a page. Lengths are in points from the lower left corner. */
export interface PlacedLine {
  readonly block: TextBlock;
  /** The number of the block in its document. */
  readonly number: number;
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly isLabel: boolean;
}

/** A coloured ground behind lines. */
export interface PlacedBand extends NonNullable<TextBlock['band']> {
  readonly top: number;
  readonly bottom: number;
}

/** The contents of a page; `rules` are heights of thin lines. */
export interface PlacedPage {
  readonly lines: PlacedLine[];
  readonly bands: PlacedBand[];
  readonly rules: number[];
}

/** The paper, its margin on all sides, and the height of the foot above the margin. */
interface Room {
  readonly width: number;
  readonly height: number;
  readonly margin: number;
  readonly foot: number;
}

const LINE_HEIGHT = 1.38;
/** Points: the least width of the column of labels, and the distance to the texts. */
const LABEL_LEAST = 86;
const LABEL_DISTANCE = 12;
/** Inside a band: points above the first and below the last line, and at the left. */
const BAND_PADDING = 8;
const BAND_INDENT = 16;
/** Lines that must follow a heading on its page. */
const KEPT_LINES = 3;

/** Places all blocks; there is at least one page. */
export function placeBlocks(blocks: readonly TextBlock[], measure: Measure, room: Room): readonly PlacedPage[] {
  const { width, height, margin, foot } = room;
  const pages: PlacedPage[] = [{ lines: [], bands: [], rules: [] }];
  const labelWidth = Math.max(
    LABEL_LEAST,
    ...blocks.map(({ label = '', size }) => measure(label) * size + LABEL_DISTANCE),
  );
  const top = height - margin;
  let y = top;
  const page = (): PlacedPage => pages.at(-1) ?? { lines: [], bands: [], rules: [] };
  const breakPage = (): void => {
    pages.push({ lines: [], bands: [], rules: [] });
    y = top;
  };
  for (const [number, block] of blocks.entries()) {
    const { size, label, band, indent = 0 } = block;
    const pitch = size * LINE_HEIGHT;
    const x = margin + indent + (band === undefined ? 0 : BAND_INDENT) + (label === undefined ? 0 : labelWidth);
    const limit = (width - margin - (band === undefined ? 0 : BAND_PADDING) - x) / size;
    const lines = showableLines(block.text).flatMap((one) => wrap(measure, one, limit));
    const isFirstOfBand = band !== undefined && blocks[number - 1]?.band === undefined;
    const isLastOfBand = band !== undefined && blocks[number + 1]?.band === undefined;
    const isHeading = block.role !== undefined && block.role !== 'P';
    const kept = isHeading ? lines.length + KEPT_LINES : Math.min(2, lines.length);
    y -= y === top ? 0 : (block.spaceBefore ?? 0);
    if (y !== top && y - kept * pitch < margin + foot) breakPage();
    if (block.ruled === true) {
      page().rules.push(y + 4);
      y -= 4;
    }
    let begin = y;
    if (isFirstOfBand) y -= BAND_PADDING;
    const closeBand = (): void => {
      if (band === undefined) return;
      const bottom = isLastOfBand ? y - BAND_PADDING : y;
      const last = page().bands.at(-1);
      // Paragraphs of the same band are one ground.
      if (last !== undefined && Math.abs(last.bottom - begin) < 0.01) page().bands.splice(-1, 1, { ...last, bottom });
      else page().bands.push({ ...band, top: begin, bottom });
    };
    for (const [index, text] of lines.entries()) {
      if (y - pitch < margin + foot) {
        closeBand();
        breakPage();
        begin = y;
      }
      y -= pitch;
      if (index === 0 && label !== undefined) {
        page().lines.push({ block, number, text: label, x: x - labelWidth, y: y + size * 0.28, isLabel: true });
      }
      page().lines.push({ block, number, text, x, y: y + size * 0.28, isLabel: false });
    }
    closeBand();
    if (isLastOfBand) y -= BAND_PADDING;
  }
  return pages;
}
