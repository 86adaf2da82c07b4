// The cells of a QR code with its quiet zone, row by row; dark ones are true.
import { encode } from "uqr";

export interface QrCells {
  readonly data: ReadonlyArray<readonly boolean[]>;
  readonly size: number;
}

export function qrCells(text: string): QrCells {
  return encode(text, { ecc: "M", border: 2 });
}
