import { drawnEdges, neighboursOf, type GraphModel } from './graph-model.ts';
import { placed, roundsFor, type LayoutReport, type LayoutTask, type Places, type Point } from './place.ts';

/** Of how many nodes a change is laid out again as a whole where most of them are new. */
const MOSTLY_NEW = 0.5;
/** Rounds of a change in which most nodes stay where they are. */
const SETTLING = 80;
/** How often the picture follows a layout that goes on; of many nodes less often, since each time costs. */
const REPORTS = 8;
const REPORTS_OF_MANY = 2;
const MANY = 1500;

/** Finds places for the nodes of a graph, in a worker; those that have one stay there as long as most of the graph stays. */
export class Layout {
  private places = new Map<string, Point>();
  private worker: Worker | null = null;
  private readonly moved: (places: Places, isLast: boolean) => void;

  /** `moved` is told where nodes are, now and then while they are laid out. */
  constructor(moved: (places: Places, isLast: boolean) => void) {
    this.moved = moved;
  }

  /** Lays out a graph; where nothing is new, nothing moves. `anew` forgets all places. */
  run(model: GraphModel, anew = false): Places {
    this.stop();
    const ids = [...model.nodes.keys()];
    const edges = drawnEdges(model).map(([, edge]) => edge);
    const known = anew ? 0 : ids.filter((id) => this.places.has(id)).length;
    const isFresh = known < ids.length * MOSTLY_NEW;
    const before = isFresh ? new Map<string, Point>() : this.places;
    const places = placed(ids, neighboursOf(edges), before);
    // What is not shown now keeps its place for when it is again.
    this.places = isFresh ? new Map(places) : new Map([...this.places, ...places]);
    if (known < ids.length || isFresh) {
      const index = new Map(ids.map((id, i) => [id, i]));
      const rounds = isFresh ? roundsFor(ids.length) : SETTLING;
      this.start(ids, {
        xs: ids.map((id) => places.get(id)?.x ?? 0),
        ys: ids.map((id) => places.get(id)?.y ?? 0),
        stays: ids.map((id) => before.has(id)),
        from: edges.map(({ from }) => index.get(from) ?? 0),
        to: edges.map(({ to }) => index.get(to) ?? 0),
        rounds,
        every: Math.ceil(rounds / (ids.length > MANY ? REPORTS_OF_MANY : REPORTS)),
      });
    }
    return places;
  }

  /** Ends what goes on. */
  stop(): void {
    this.worker?.terminate();
    this.worker = null;
  }

  private start(ids: readonly string[], task: LayoutTask): void {
    const worker = new Worker(new URL('./layout-worker.ts', import.meta.url), { type: 'module' });
    this.worker = worker;
    worker.addEventListener('message', ({ data }: MessageEvent<LayoutReport>) => {
      for (const [i, id] of ids.entries()) this.places.set(id, { x: data.xs[i] ?? 0, y: data.ys[i] ?? 0 });
      if (data.isLast) this.stop();
      this.moved(this.places, data.isLast);
    });
    worker.postMessage(task);
  }
}
