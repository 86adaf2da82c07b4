// Parts of the frame whose code is no part of the first load: the server draws them, the browser wakes them after the
// page. Their HTML stays where it is until then, so nothing moves and every link works.
import { type ComponentType, memo, Suspense, use, useEffect, useRef } from "react";

const starts: (() => Promise<unknown>)[] = [];

/** Marked as React marks a promise it has seen through: what is settled is used at once, without a wait of one turn. */
function mark<Value>(promise: Promise<Value>): Promise<Value> {
  const loading = promise.then((value) => {
    Object.assign(loading, { status: "fulfilled", value });
    return value;
  });
  return loading;
}

/**
 * A component that is fetched on its own. Remembered between renders: a part that sleeps must not be asked to change,
 * or React would throw its served HTML away.
 */
export function latePart<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let loading: Promise<ComponentType<Props>> | undefined;
  const start = () => {
    loading ??= mark(load());
    return loading;
  };
  starts.push(start);

  function Inner(props: Props) {
    const Part = use(start());
    return <Part {...props} />;
  }
  function Late(props: Props) {
    return (
      <Suspense fallback={null}>
        <Inner {...props} />
      </Suspense>
    );
  }
  return memo(Late) as unknown as ComponentType<Props>;
}

/** On the server before the first page, in the browser when it has nothing else to do. */
export async function loadLateParts(): Promise<void> {
  let count = 0;
  // A part may bring parts of its own.
  while (count < starts.length) {
    count = starts.length;
    await Promise.all(starts.map((start) => start()));
  }
}

/** So far below the window a part is woken before it is reached. */
const SIGHT_MARGIN = "200px";

/**
 * As above, for what stands below the fold and is heavy: its code is fetched when it comes near the window, or is
 * reached by keyboard. On a page somebody navigates to it is fetched at once; there is no served HTML to look at.
 */
export function sightPart<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let see: () => void = () => undefined;
  const seen = new Promise<void>((done) => {
    see = done;
  });
  let ready: ComponentType<Props> | undefined;
  let loading: Promise<ComponentType<Props>> | undefined;
  const start = async () => {
    ready ??= await load();
    return ready;
  };
  if (typeof document === "undefined") starts.push(start);

  function Inner(props: Props) {
    if (typeof document !== "undefined" && document.documentElement.dataset.awake === "1") see();
    loading ??= typeof document === "undefined" ? start() : seen.then(start);
    const Part = ready ?? use(loading);
    return <Part {...props} />;
  }
  function Late(props: Props) {
    const box = useRef<HTMLDivElement>(null);
    useEffect(() => {
      const element = box.current;
      if (element === null) return;
      const watcher = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && see(), {
        rootMargin: SIGHT_MARGIN,
      });
      watcher.observe(element);
      element.addEventListener("focusin", see, { once: true });
      return () => {
        watcher.disconnect();
        element.removeEventListener("focusin", see);
      };
    }, []);
    return (
      <div ref={box}>
        <Suspense fallback={null}>
          <Inner {...props} />
        </Suspense>
      </div>
    );
  }
  return memo(Late) as unknown as ComponentType<Props>;
}
