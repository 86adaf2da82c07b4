// Concurrent work on many items, a limited number at a time. All that started is awaited, also when one fails: a retry
// must not overlap with what is still under way. The first failure is thrown then, and no later group starts.

export async function inGroups<Item, Outcome>(
  items: readonly Item[],
  size: number,
  work: (item: Item) => Promise<Outcome>,
): Promise<Outcome[]> {
  const done: Outcome[] = [];
  for (let at = 0; at < items.length; at += size) {
    for (const outcome of await Promise.allSettled(items.slice(at, at + size).map(work))) {
      if (outcome.status === "rejected") throw outcome.reason;
      done.push(outcome.value);
    }
  }
  return done;
}
