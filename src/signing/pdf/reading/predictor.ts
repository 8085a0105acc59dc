import { malformed } from '../syntax/pdf-error.ts';

/** Undoes one PNG filter (PNG §9.2) for a row, in place. */
function undoPngRow(type: number, row: Buffer, above: Buffer, pixel: number): void {
  for (let index = 0; index < row.length; index += 1) {
    const left = index >= pixel ? (row[index - pixel] ?? 0) : 0;
    const up = above[index] ?? 0;
    const corner = index >= pixel ? (above[index - pixel] ?? 0) : 0;
    row[index] = (row[index] ?? 0) + pngPrediction(type, left, up, corner);
  }
}

function pngPrediction(type: number, left: number, up: number, corner: number): number {
  switch (type) {
    case 1:
      return left;
    case 2:
      return up;
    case 3:
      return (left + up) >> 1;
    case 4: {
      const estimate = left + up - corner;
      const [byLeft, byUp, byCorner] = [left, up, corner].map((value) => Math.abs(estimate - value)) as [
        number,
        number,
        number,
      ];
      if (byLeft <= byUp && byLeft <= byCorner) return left;
      return byUp <= byCorner ? up : corner;
    }
    default:
      return 0;
  }
}

function undoPng(data: Buffer, rowLength: number, pixel: number): Buffer {
  const rows = Math.ceil(data.length / (rowLength + 1));
  const output = Buffer.alloc(rows * rowLength);
  let above: Buffer = Buffer.alloc(rowLength);
  for (let row = 0; row < rows; row += 1) {
    const start = row * (rowLength + 1);
    const target = output.subarray(row * rowLength, (row + 1) * rowLength);
    data.copy(target, 0, start + 1, start + 1 + rowLength);
    const type = data[start] ?? 0;
    if (type !== 0) undoPngRow(type, target, above, pixel);
    above = target;
  }
  return output;
}

function undoTiff(data: Buffer, rowLength: number, pixel: number): Buffer {
  const output = Buffer.from(data);
  for (let start = 0; start < output.length; start += rowLength) {
    const end = Math.min(start + rowLength, output.length);
    for (let index = start + pixel; index < end; index += 1) {
      output[index] = (output[index] ?? 0) + (output[index - pixel] ?? 0);
    }
  }
  return output;
}

/** Undoes the predictor of Flate data (ISO 32000-2 §7.4.4.4); `parameter` reads the stream's decode parameters. */
export function undoPredictor(data: Buffer, parameter: (key: string) => number | undefined): Buffer {
  const predictor = parameter('Predictor') ?? 1;
  if (predictor <= 1) return data;
  const bits = (parameter('Colors') ?? 1) * (parameter('BitsPerComponent') ?? 8);
  const rowLength = Math.ceil(((parameter('Columns') ?? 1) * bits) / 8);
  if (!(bits >= 1 && bits <= 512) || rowLength > 1_000_000) malformed('the predictor of a stream has impossible sizes');
  const pixel = Math.max(1, bits >> 3);
  return predictor === 2 ? undoTiff(data, rowLength, pixel) : undoPng(data, rowLength, pixel);
}
