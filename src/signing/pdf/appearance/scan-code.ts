import type { ScanCode } from '../sign-request.ts';
import type { Placement } from './page-geometry.ts';

const decimal = (value: number): string => String(Math.round(value * 1000) / 1000);

/** Fills the dark modules of a code; neighbours in a row are one rectangle, so that no gaps are seen between them. */
export function codeOperators({ size, modules }: ScanCode, room: Placement): string {
  const side = room.width / size;
  const operators: string[] = [];
  for (let row = 0; row < size; row += 1) {
    for (let column = 0; column < size; column += 1) {
      if (modules[row * size + column] !== 1) continue;
      const begin = column;
      while (column + 1 < size && modules[row * size + column + 1] === 1) column += 1;
      const y = room.y + room.height - (row + 1) * side;
      const sizes = [room.x + begin * side, y, (column - begin + 1) * side, side];
      operators.push(`${sizes.map(decimal).join(' ')} re`);
    }
  }
  return [...operators, 'f'].join(' ');
}
