// What is typed between the key that opens a field and the moment it is there: nothing of it is lost.

/** Collects what is typed from now on; `take` answers it and ends the collecting. */
export function collectTyping(target: Document): { readonly take: () => string } {
  let typed = "";
  const listen = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Backspace") typed = typed.slice(0, -1);
    else if (event.key.length === 1) typed += event.key;
    else return;
    // It belongs to the field: shortcuts of the page stay silent.
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  target.addEventListener("keydown", listen, true);
  return {
    take: () => {
      target.removeEventListener("keydown", listen, true);
      return typed;
    },
  };
}
