// Load in a process of its own: every participant has a connection, requests are due at a constant rate independent of
// responses, and latency counts from the due time. Prints the responses as JSON; contains nothing of sales.
import { connect, type Socket } from "node:net";
import { measureMs, wallMs } from "@clockwork/host/time/measure";
import type { Participants, Rushed } from "./stampede.ts";

interface Person {
  readonly request: Buffer;
  socket: Socket | undefined;
  text: string;
  /** When the current request was due. */
  requestedMs: number | undefined;
  readonly waiting: number[];
}

const TICK_MS = 1;
/** The bound for responses; a busy machine is only slow. */
const TIMEOUT_MS = 600_000;
const HEAD_END = "\r\n\r\n";

function readPlan(): Promise<Participants> {
  return new Promise((done) => {
    let text = "";
    process.stdin.on("data", (bytes: Buffer) => {
      text += bytes.toString();
    });
    process.stdin.on("end", () => done(JSON.parse(text) as Participants));
  });
}

class Rush {
  readonly #participants: Participants;
  readonly #people: Person[];
  readonly #tookMs: number[] = [];
  readonly #answers = new Map<string, number>();
  #unhelpful = 0;
  #lost = 0;

  constructor(participants: Participants) {
    this.#participants = participants;
    this.#people = participants.requests.map((text) => ({
      request: Buffer.from(text, "latin1"),
      socket: undefined,
      text: "",
      requestedMs: undefined,
      waiting: [],
    }));
  }

  async run(): Promise<Rushed> {
    await Promise.all(this.#people.map((person) => this.#open(person)));
    const { count, overMs, startsAtMs } = this.#participants;
    await new Promise((done) => setTimeout(done, Math.max(0, startsAtMs - wallMs())));
    const startedMs = measureMs();
    let sent = 0;
    let lateMs = 0;
    while (this.#ended < count && measureMs() - startedMs < overMs + TIMEOUT_MS) {
      const nowMs = measureMs();
      for (let dueMs = startedMs + (sent * overMs) / count; sent < count && dueMs <= nowMs; ) {
        lateMs = Math.max(lateMs, nowMs - dueMs);
        this.#ask(this.#people[sent % this.#people.length] as Person, dueMs);
        sent += 1;
        dueMs = startedMs + (sent * overMs) / count;
      }
      await new Promise((done) => setTimeout(done, TICK_MS));
    }
    for (const { socket } of this.#people) socket?.destroy();
    const sorted = this.#tookMs.sort((left, right) => left - right);
    const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
    return {
      requested: sent,
      unanswered: count - sorted.length,
      lost: this.#lost,
      unhelpful: this.#unhelpful,
      answers: Object.fromEntries(this.#answers),
      p50Ms: at(0.5),
      p99Ms: at(0.99),
      maxMs: at(1),
      seconds: (measureMs() - startedMs) / 1_000,
      lateMs,
    };
  }

  get #ended(): number {
    return this.#tookMs.length + this.#lost;
  }

  #open(person: Person): Promise<void> {
    return new Promise((done, fail) => {
      const socket = connect({ port: this.#participants.port, host: "127.0.0.1", noDelay: true });
      socket.setEncoding("latin1");
      socket.once("connect", done).once("error", fail);
      socket.on("data", (text: string) => this.#take(person, text));
      socket.on("close", () => {
        if (person.requestedMs !== undefined) this.#lost += 1;
        person.requestedMs = undefined;
      });
      person.socket = socket;
    });
  }

  #ask(person: Person, dueMs: number): void {
    if (person.requestedMs !== undefined) person.waiting.push(dueMs);
    else {
      person.requestedMs = dueMs;
      person.socket?.write(person.request);
    }
  }

  #take(person: Person, more: string): void {
    person.text += more;
    const head = person.text.indexOf(HEAD_END);
    const length = /content-length: (\d+)/i.exec(person.text)?.[1];
    if (head < 0 || length === undefined || person.text.length < head + HEAD_END.length + Number(length)) return;
    const { text } = person;
    person.text = "";
    this.#tookMs.push(measureMs() - (person.requestedMs ?? 0));
    person.requestedMs = undefined;
    this.#count(text);
    const next = person.waiting.shift();
    if (next !== undefined) this.#ask(person, next);
  }

  #count(text: string): void {
    const status = text.slice(9, 12);
    const name = status === "200" ? status : `${status} ${/"code":"([A-Z_]+)"/.exec(text)?.[1] ?? ""}`;
    this.#answers.set(name, (this.#answers.get(name) ?? 0) + 1);
    if (status === "429" && !/^retry-after: \d+\r$/im.test(text)) this.#unhelpful += 1;
  }
}

process.stdout.write(JSON.stringify(await new Rush(await readPlan()).run()));
