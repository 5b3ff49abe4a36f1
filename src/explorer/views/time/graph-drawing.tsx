import { useEffect, useRef, useState } from 'preact/hooks';

import { theme } from '../../app/theme.ts';
import { Scene, type Shown } from './scene.ts';

/** What the buttons beside a picture do to it. */
export interface Hold {
  readonly zoom: (factor: number) => void;
  readonly fit: () => void;
  readonly arrange: () => void;
}

/** The drawing of a graph. Where the browser draws no WebGL it says so: the list beside it has the same. */
export function GraphDrawing({
  shown,
  choose,
  hold,
}: {
  readonly shown: Shown;
  readonly choose: (id: string | null) => void;
  /** Is told of the drawing, and of null when it goes. */
  readonly hold: (held: Hold | null) => void;
}) {
  const frame = useRef<HTMLDivElement>(null);
  const scene = useRef<Scene | null>(null);
  const latest = useRef(choose);
  latest.current = choose;
  const [isImpossible, setImpossible] = useState(false);
  useEffect(() => {
    if (frame.current === null) return undefined;
    const opened = open(frame.current, (id) => {
      latest.current(id);
    });
    if (opened === null) {
      setImpossible(true);
      return undefined;
    }
    scene.current = opened;
    hold(holdOf(opened));
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const paint = (): void => {
      opened.paint();
    };
    dark.addEventListener('change', paint);
    return () => {
      dark.removeEventListener('change', paint);
      hold(null);
      scene.current = null;
      opened.dispose();
    };
  }, []);
  useEffect(() => {
    scene.current?.show(shown);
  }, [shown.model, shown.comparison, shown.chosen]);
  const { value: light } = theme;
  useEffect(() => {
    scene.current?.paint();
  }, [light]);
  return isImpossible ? (
    <p class="soft">This browser draws no WebGL; the list has everything that the picture would show.</p>
  ) : (
    <div class="graph-drawing" ref={frame} />
  );
}

function holdOf(scene: Scene): Hold {
  return {
    zoom: (factor) => {
      scene.zoom(factor);
    },
    fit: () => {
      scene.fit();
    },
    arrange: () => {
      scene.arrange();
    },
  };
}

function open(frame: HTMLElement, choose: (id: string | null) => void): Scene | null {
  const context = document.createElement('canvas').getContext('webgl2');
  // A browser has few of them: this one was to try.
  context?.getExtension('WEBGL_lose_context')?.loseContext();
  return context === null ? null : new Scene(frame, choose);
}
