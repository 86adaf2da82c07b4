// Bytes of a WebSocket text frame as a server sends it: whole, unmasked, uncompressed. Built once per update and
// written to every reader unchanged; must never be modified after it was built.

const TEXT_OPCODE = 0x81;

export function textFrame(text: string): Buffer {
  const size = Buffer.byteLength(text);
  const headBytes = size < 126 ? 2 : size < 65_536 ? 4 : 10;
  const frame = Buffer.allocUnsafeSlow(headBytes + size);
  frame[0] = TEXT_OPCODE;
  if (headBytes === 2) {
    frame[1] = size;
  } else if (headBytes === 4) {
    frame[1] = 126;
    frame.writeUInt16BE(size, 2);
  } else {
    frame[1] = 127;
    frame.writeBigUInt64BE(BigInt(size), 2);
  }
  frame.write(text, headBytes);
  return frame;
}
