// How support texts are stored: sealed, each bound to its ticket.
import type { Sealing } from "@clockwork/host/vault";

type Piece = "person" | "message" | "file" | "file-name";
const contextOf = (piece: Piece, number: string): string => `support-${piece}:${number}`;

export const sealBytes = (vault: Sealing, piece: Piece, number: string, bytes: Uint8Array): Uint8Array =>
  vault.seal(bytes, contextOf(piece, number));
export const openBytes = (vault: Sealing, piece: Piece, number: string, sealed: Uint8Array): Uint8Array =>
  vault.open(sealed, contextOf(piece, number));

export const sealText = (vault: Sealing, piece: Piece, number: string, text: string): Uint8Array =>
  sealBytes(vault, piece, number, new TextEncoder().encode(text));
export const openText = (vault: Sealing, piece: Piece, number: string, sealed: Uint8Array): string =>
  new TextDecoder().decode(openBytes(vault, piece, number, sealed));
