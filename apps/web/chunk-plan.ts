// Which scripts the browser is served. Left alone the bundler makes a file of every set of modules that the same pages
// share, some hundreds of a few hundred bytes. Here those sets are joined as long as a page saves more by asking for fewer
// files than it pays for bytes that only other pages need.
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { PAGES } from "./src/boot/route-table.ts";

const SOURCE = join(import.meta.dirname, "src");
const source = (file: string): string => join(SOURCE, file);

interface ModuleGraph {
  readonly getModuleInfo: (id: string) => {
    readonly code: string | null;
    readonly importedIds: readonly string[];
    readonly dynamicallyImportedIds: readonly string[];
  } | null;
}

/** What never changes between releases. */
const VENDOR = /node_modules[\\/](?:react|react-dom|react-router|scheduler|zustand)[\\/]/;
/** Schemas and what builds them are left out of pages (`dropSchemas`). */
const DROPPED = /node_modules[\\/]typebox[\\/]/;
const FRAME = ["entry.client.tsx", "root.tsx", "routes/gate.tsx"].map(source);
const LAYOUT = { default: source("routes/default-layout.tsx"), empty: source("routes/empty-layout.tsx") };
const COMMENTS = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;
/** Re-exports a whole library; only the used members remain of it, which others need as well. */
const INDEX = /react-aria-components[\\/]dist[\\/]exports[\\/]index\.mjs$/;
/** Woken by themselves in other ways than as a late part. */
const WAKES =
  /src[\\/](?:clients[\\/](?:clients|native-meeting|visit-report)|shell[\\/]loading-bar-machine|session[\\/]gate-pass|trade[\\/]chart[\\/]chart-engine)\.tsx?$/;
/** Large, and named by what weighs pages. */
const ALONE = /[\\/]chart-engine\.ts$/;
const LATE_PART = /latePart\([^;]*?import\(\s*["']([^"']+)["']/g;

/** What requesting one more file costs a visit, in compressed bytes; below it, first loads grew with each new page. */
const FILE_BYTES = 2_000;
const BUDGET_BYTES = 1_500;
/** Of source without comments to what is served. */
const SERVED_SHARE = 0.55;
/** The pages that start most visits count more. */
const BUSY_PAGES = /^(?:home|spot|futures)$/;
const BUSY_WEIGHT = 12;
/** Of the first loads with the least room below their budgets (`tools/src/page-weight.ts`). */
const TIGHT_WEIGHTS: Readonly<Record<string, number>> = { home: 5_000, "docs/element-plus": 60 };

/** The bundler's data of a module, read once. */
class Graph {
  readonly #graph: ModuleGraph;
  readonly #known = new Map<
    string,
    {
      readonly needs: readonly string[];
      readonly later: readonly string[];
      readonly wakes: readonly string[];
      readonly bytes: number;
    }
  >();

  constructor(graph: ModuleGraph) {
    this.#graph = graph;
  }

  #look(id: string) {
    let known = this.#known.get(id);
    if (known === undefined) {
      const { code, importedIds = [], dynamicallyImportedIds: later = [] } = this.#graph.getModuleInfo(id) ?? {};
      const text = code ?? "";
      const late = [...text.matchAll(LATE_PART)].map(([, path = ""]) => path.replace(/^.*\/|\.tsx?$/g, ""));
      known = {
        needs: INDEX.test(id) ? [] : importedIds,
        later,
        wakes: later.filter((part) => WAKES.test(part) || late.includes(part.replace(/^.*[\\/]|\.tsx?$/g, ""))),
        bytes: DROPPED.test(id) ? 0 : Math.round(gzipSync(text.replace(COMMENTS, "")).length * SERVED_SHARE),
      };
      this.#known.set(id, known);
    }
    return known;
  }

  readonly needs = (id: string) => this.#look(id).needs;
  /** Its dynamic imports. */
  readonly later = (id: string) => this.#look(id).later;
  /** Those of its dynamic imports that a page starts itself. */
  readonly wakes = (id: string) => this.#look(id).wakes;
  readonly bytes = (id: string) => this.#look(id).bytes;
}

interface Load {
  readonly weight: number;
  /** Including parts that hydrate on their own. */
  readonly isLate: boolean;
  readonly modules: ReadonlySet<string>;
}

interface Chunk {
  readonly modules: Set<string>;
  bytes: number;
  /** For each load whether it needs the module. */
  readonly asks: Uint8Array;
}

/** Everything the modules need before they can run. */
function reach(graph: Graph, ids: Iterable<string>): Set<string> {
  const found = new Set(ids);
  for (const id of found) for (const needed of graph.needs(id)) found.add(needed);
  return found;
}

/** What an untouched page fetches: also the parts that hydrate on their own, and theirs. */
function reachLate(graph: Graph, first: ReadonlySet<string>): ReadonlySet<string> {
  const found = new Set(first);
  for (const id of found) for (const needed of [...graph.needs(id), ...graph.wakes(id)]) found.add(needed);
  return found;
}

function listLoads(graph: Graph): readonly Load[] {
  const pages = new Map(PAGES.map((page) => [page.file, page.layout ?? "default"]));
  return [...pages].flatMap(([file, layout]) => {
    const first = reach(graph, [...FRAME, LAYOUT[layout], source(`routes/${file}.tsx`)]);
    const weight = BUSY_PAGES.test(file) ? BUSY_WEIGHT : 1;
    return [
      { weight: TIGHT_WEIGHTS[file] ?? weight, isLate: false, modules: first },
      { weight, isLate: true, modules: reachLate(graph, first) },
    ];
  });
}

/** Modules by what leads to them: those that the same pages and parts need, and no others. */
function listAtoms(graph: Graph, loads: readonly Load[]) {
  const pages = new Set([LAYOUT.empty, ...PAGES.map(({ file }) => source(`routes/${file}.tsx`))]);
  const roots = new Set([...FRAME, LAYOUT.default, ...pages]);
  const leading = new Map<string, string>();
  let index = 0;
  for (const root of roots) {
    for (const id of reach(graph, [root])) {
      leading.set(id, `${leading.get(id) ?? ""},${index}`);
      for (const part of graph.later(id)) roots.add(part);
    }
    index += 1;
  }
  const vendor = reach(
    graph,
    [...leading.keys()].filter((id) => VENDOR.test(id)),
  );
  const atoms = new Map<string, Chunk>();
  for (const [id, key] of leading) {
    if (vendor.has(id)) continue;
    const atom = atoms.get(key) ?? {
      modules: new Set(),
      bytes: 0,
      asks: Uint8Array.from(loads, (load) => (load.modules.has(id) ? 1 : 0)),
    };
    atoms.set(key, atom);
    atom.modules.add(id);
    atom.bytes += graph.bytes(id);
  }
  // A page's own modules are in its own file, and the chart's library in its own.
  const joinable = [...atoms.values()].filter(
    ({ modules }) => ![...modules].some((id) => pages.has(id) || ALONE.test(id)),
  );
  return { atoms: joinable, vendor };
}

/** Of superfluous bytes: many for one page weigh more than a few for many pages. */
const costOf = (bytes: number): number => bytes * (1 + bytes / BUDGET_BYTES);

class Joining {
  readonly chunks: Set<Chunk>;
  readonly #graph: Graph;
  readonly #loads: readonly Load[];
  readonly #chunkOf = new Map<string, Chunk>();

  constructor(atoms: readonly Chunk[], loads: readonly Load[], graph: Graph) {
    this.chunks = new Set(atoms);
    this.#graph = graph;
    this.#loads = loads;
    for (const atom of atoms) for (const id of atom.modules) this.#chunkOf.set(id, atom);
  }

  /** The chunk and all that it cannot run without; when late, also what hydrates with it. */
  #closure(chunk: Chunk, isLate: boolean): ReadonlySet<Chunk> {
    const found = new Set([chunk]);
    for (const one of found) {
      for (const id of one.modules) {
        for (const needed of isLate ? [...this.#graph.needs(id), ...this.#graph.wakes(id)] : this.#graph.needs(id)) {
          const next = this.#chunkOf.get(needed);
          if (next !== undefined) found.add(next);
        }
      }
    }
    return found;
  }

  /** What all loads save, in bytes, when two chunks are one; at most, while what the two bring along is left out. */
  gainOf(
    one: Chunk,
    other: Chunk,
    bring = (chunk: Chunk, _isLate: boolean): ReadonlySet<Chunk> => new Set([chunk]),
  ): number {
    const ones = [bring(one, false), bring(one, true)] as const;
    const others = [bring(other, false), bring(other, true)] as const;
    let gain = 0;
    for (let index = 0; index < this.#loads.length; index += 1) {
      const { weight = 0, isLate = false } = this.#loads[index] ?? {};
      const [asksOne, asksOther] = [one.asks[index] === 1, other.asks[index] === 1];
      if (asksOne && asksOther) gain += weight * FILE_BYTES;
      else if (asksOne || asksOther) {
        let bytes = 0;
        for (const chunk of (asksOne ? others : ones)[isLate ? 1 : 0])
          if (chunk.asks[index] === 0) bytes += chunk.bytes;
        gain -= weight * costOf(bytes);
      }
    }
    return gain;
  }

  /** Undefined when one leads to the other by way of a third: joined they and the third would need each other. */
  exactGainOf(one: Chunk, other: Chunk): number | undefined {
    const leads = (start: Chunk, end: Chunk) => {
      const between = this.#closure(start, false);
      return (
        between.has(end) &&
        [...between].some((chunk) => chunk !== start && chunk !== end && this.#closure(chunk, false).has(end))
      );
    };
    if (leads(one, other) || leads(other, one)) return undefined;
    return this.gainOf(one, other, (chunk, isLate) => this.#closure(chunk, isLate));
  }

  join(one: Chunk, other: Chunk): void {
    for (const id of other.modules) {
      one.modules.add(id);
      this.#chunkOf.set(id, one);
    }
    one.bytes += other.bytes;
    this.chunks.delete(other);
    for (const [index, asks] of other.asks.entries()) if (asks === 1) one.asks[index] = 1;
    const [first, late] = [this.#closure(one, false), this.#closure(one, true)];
    for (const [index, { isLate }] of this.#loads.entries()) {
      if (one.asks[index] === 1) for (const chunk of isLate ? late : first) chunk.asks[index] = 1;
    }
  }
}

function joinChunks(atoms: readonly Chunk[], loads: readonly Load[], graph: Graph): ReadonlySet<Chunk> {
  const joining = new Joining(atoms, loads, graph);
  const pairOf = (one: Chunk, other: Chunk) => ({ one, other, gain: joining.gainOf(one, other), isExact: false });
  let pairs = atoms.flatMap((one, index) =>
    atoms
      .slice(index + 1)
      .map((other) => pairOf(one, other))
      .filter(({ gain }) => gain > 0),
  );
  for (;;) {
    const [first] = pairs;
    if (first === undefined) return joining.chunks;
    let best = first;
    for (const pair of pairs) if (pair.gain > best.gain) best = pair;
    const { one, other } = best;
    if (!best.isExact) {
      const gain = joining.exactGainOf(one, other) ?? 0;
      if (gain > 0) Object.assign(best, { gain, isExact: true });
      else pairs = pairs.filter((pair) => pair !== best);
      continue;
    }
    joining.join(one, other);
    pairs = pairs.filter((pair) => ![pair.one, pair.other].some((chunk) => chunk === one || chunk === other));
    for (const pair of pairs) pair.isExact = false;
    for (const next of joining.chunks) {
      const pair = pairOf(one, next);
      if (next !== one && pair.gain > 0) pairs.push(pair);
    }
  }
}

/** Called after its largest module that is ours. */
function nameOf({ modules }: Chunk, graph: Graph): string {
  const ours = [...modules].filter((id) => !id.includes("node_modules"));
  const [largest = "base"] = (ours.length > 0 ? ours : [...modules]).sort((a, b) => graph.bytes(b) - graph.bytes(a));
  return largest.replace(/\?.*$/, "").replace(/^.*[\\/]|\.\w+$/g, "");
}

/** The name of every module's chunk. */
function planChunks(modules: ModuleGraph): ReadonlyMap<string, string> {
  const graph = new Graph(modules);
  const loads = listLoads(graph);
  const { atoms, vendor } = listAtoms(graph, loads);
  const names = new Map([...vendor].map((id) => [id, "vendor"]));
  const counts = new Map<string, number>();
  for (const chunk of joinChunks(atoms, loads, graph)) {
    const name = nameOf(chunk, graph);
    const count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
    for (const id of chunk.modules) names.set(id, count === 0 ? name : `${name}-${count}`);
  }
  return names;
}

let planned: ReadonlyMap<string, string> | undefined;

/** Every module is named, or only one page needs it: nothing is pulled in. */
export const CHUNKS = [
  {
    name: (id: string, modules: ModuleGraph): string | null => {
      planned ??= planChunks(modules);
      return planned.get(id) ?? null;
    },
    debugName: "plan",
    includeDependenciesRecursively: false,
  },
];
