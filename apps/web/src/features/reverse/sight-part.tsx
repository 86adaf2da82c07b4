// Parts of a page below the fold whose code is heavy: drawn by the server, woken when they come near the window.
import { type ComponentType, memo, Suspense, use, useEffect, useRef } from "react";
import { starts } from "#boot/late-part.tsx";
import { patiently } from "#boot/timeout.ts";
import { mark } from "#words/settled.ts";

/** So far below the window a part is woken before it is reached. */
const SIGHT_MARGIN = "200px";

/**
 * Its code is fetched when it comes near the window or is reached by keyboard; until then its HTML is unchanged. After
 * a client navigation it is fetched at once; there is no served HTML.
 */
export function sightPart<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let see: () => void = () => undefined;
  const seen = new Promise<void>((done) => {
    see = done;
  });
  let loading: Promise<ComponentType<Props>> | undefined;
  const start = () => {
    loading ??= mark(typeof document === "undefined" ? load() : seen.then(() => patiently(load)));
    return loading;
  };
  if (typeof document === "undefined") starts.push(start);

  function Inner(props: Props) {
    if (typeof document !== "undefined" && document.documentElement.dataset.awake === "1") see();
    const Part = use(start());
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
