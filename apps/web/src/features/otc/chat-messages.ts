// Messages that came together from several answers: each once, in the order they were written.
interface Numbered {
  readonly id: number;
}

export function joinMessages<Message extends Numbered>(known: readonly Message[], more: readonly Message[]): Message[] {
  const all = new Map([...known, ...more].map((message) => [message.id, message]));
  return [...all.values()].sort((left, right) => left.id - right.id);
}
