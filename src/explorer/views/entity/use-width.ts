import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

/** How wide an element is, so that a drawing is laid out for it and its letters keep their size. */
export function useWidth<Of extends Element>(before: number): [RefObject<Of | null>, number] {
  const element = useRef<Of | null>(null);
  const [width, setWidth] = useState(before);
  useEffect(() => {
    const watched = element.current;
    if (watched === null) return undefined;
    const observer = new ResizeObserver(() => {
      setWidth(Math.max(1, Math.floor(watched.getBoundingClientRect().width)));
    });
    observer.observe(watched);
    return () => {
      observer.disconnect();
    };
  }, []);
  return [element, width];
}
