// What the chat slice wants from others: who somebody is, where the chat is, a signature.

export interface Person {
  readonly nickname: string;
  readonly kycLevel: number;
  readonly isOperator: boolean;
}

export interface ChatNeeds {
  /** Nothing where no chat is connected. */
  readonly chat: { readonly url: string; readonly appId: string } | undefined;
  findPerson(userId: number, timeMs: number): Promise<Person | undefined>;
  /** HMAC-SHA256 with the secret shared with the chat, in base64url. */
  sign(text: string): string;
}
