// Secrets at rest, as every area stores them. Declarations only; identity implements them.

/** Encrypts values that must be read again and marks values that must only be recognised. */
export interface Vault {
  /** AES-256-GCM. The context (owner and kind) must be given again to open: rows cannot be swapped. */
  seal(plain: Uint8Array, context: string): Uint8Array;
  open(sealed: Uint8Array, context: string): Uint8Array;
  /** A keyed digest: the same text gives the same mark, and without the key texts cannot be tried. */
  mark(text: string, context: string): string;
}

export type Sealing = Pick<Vault, "seal" | "open">;
