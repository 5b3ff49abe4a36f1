import type { RefObject } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';

import { isLayoutOf, shapeOf, type Drawing, type Layout, type Way } from './drawing.ts';
import type { LayoutReport, LayoutTask } from './place.ts';

/**
 * The layout of a drawing, found in a worker whenever records or links come or go, or another way is asked for; null until it is there.
 * Where no way is asked for, that is kept which suits the frame at first.
 */
export function useLayout(
  drawing: Drawing,
  asked: Way | null,
  frame: RefObject<HTMLElement | null>,
): Layout | null {
  const [layout, setLayout] = useState<Layout | null>(null);
  const suiting = useRef<Way | null>(null);
  const shape = useMemo(() => shapeOf(drawing), [drawing]);
  const way = asked ?? suiting.current;
  const isThere = isLayoutOf(layout, shape, way);
  useEffect(() => {
    if (isThere) return undefined;
    const { clientWidth: width = 1, clientHeight: height = 1 } = frame.current ?? {};
    const cards = drawing.cards.map(({ id }) => id);
    const lines = drawing.lines.map(({ id, from, to }) => ({ id, from, to }));
    return start({ cards, lines, way, frame: { width, height } }, ({ way: found, xs, ys }) => {
      if (way === null) suiting.current = found;
      const places = new Map(cards.map((id, i) => [id, { x: xs[i] ?? 0, y: ys[i] ?? 0 }]));
      setLayout({ shape, way: found, places });
    });
  }, [shape, way]);
  return isThere ? layout : null;
}

/** Has a task done; answers what ends it. */
function start(task: LayoutTask, done: (report: LayoutReport) => void): () => void {
  const worker = new Worker(new URL('./layout-worker.ts', import.meta.url), { type: 'module' });
  worker.addEventListener('message', ({ data }: MessageEvent<LayoutReport>) => {
    worker.terminate();
    done(data);
  });
  worker.postMessage(task);
  return () => {
    worker.terminate();
  };
}
