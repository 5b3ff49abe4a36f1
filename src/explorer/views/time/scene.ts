import Graph from 'graphology';
import Sigma from 'sigma';

import { coloursOf, type Colours } from './colours.ts';
import { drawnEdges, type Comparison, type GraphModel } from './graph-model.ts';
import { hoverDrawer, Labels } from './labels.ts';
import { Layout } from './layout.ts';
import type { Places } from './place.ts';
import type { GraphEdge, GraphNode } from './queries.ts';
import { edgeInWords, LETTERS, SIGNS } from './words.ts';

/** With so many nodes at most, each has its words beside it. */
const FEW = 60;
/** From so many edges on they are lines without a point, and wait until the picture stands still. */
const MANY_EDGES = 4000;

interface NodeLook {
  x: number;
  y: number;
  readonly node: GraphNode;
}

interface EdgeLook {
  readonly edge: GraphEdge;
}

/** What is shown. */
export interface Shown {
  readonly model: GraphModel;
  readonly comparison: Comparison | null;
  readonly chosen: string | null;
}

/** The picture of a graph: what is drawn where, and what the pointer does in it. Throws where the browser draws no WebGL. */
export class Scene {
  private readonly graph = new Graph<NodeLook, EdgeLook>({ type: 'directed', multi: true });
  private readonly renderer: Sigma<NodeLook, EdgeLook>;
  private readonly layout: Layout;
  private readonly container: HTMLElement;
  private colours: Colours;
  private shown: Shown = { model: { nodes: new Map(), edges: new Map() }, comparison: null, chosen: null };
  private near: ReadonlySet<string> = new Set();

  /** `choose` is told which node is pressed, null for none. */
  constructor(container: HTMLElement, choose: (id: string | null) => void) {
    this.container = container;
    this.colours = coloursOf(container);
    this.layout = new Layout((places, isLast) => {
      this.move(places, isLast);
    });
    const colours = (): Colours => this.colours;
    const labels = new Labels(colours);
    this.renderer = new Sigma<NodeLook, EdgeLook>(this.graph, container, {
      allowInvalidContainer: true,
      enableEdgeEvents: false,
      defaultDrawNodeLabel: (context, data, settings) => {
        labels.draw(context, data, settings);
      },
      defaultDrawNodeHover: hoverDrawer(colours),
      labelSize: 12,
      labelDensity: 0.6,
      labelRenderedSizeThreshold: 6,
      renderEdgeLabels: true,
      edgeLabelSize: 11,
      minCameraRatio: 0.02,
      maxCameraRatio: 4,
      zIndex: true,
      stagePadding: 48,
      nodeReducer: (id, { node, x, y }) => ({ x, y, ...this.nodeLook(id, node) }),
      edgeReducer: (key, { edge }) => this.edgeLook(key, edge),
    });
    this.renderer.on('clickNode', ({ node }) => {
      choose(node);
    });
    this.renderer.on('beforeRender', () => {
      labels.begin();
    });
    this.renderer.on('clickStage', () => {
      choose(null);
    });
    this.paint();
  }

  /** Shows a graph; what was there before stays where it was. */
  show(shown: Shown): void {
    const isSame = shown.model === this.shown.model;
    this.shown = shown;
    this.near = this.nearOf(shown.chosen);
    if (isSame) {
      this.renderer.refresh({ skipIndexation: true });
      return;
    }
    const edges = new Map(drawnEdges(shown.model));
    const places = this.layout.run(shown.model);
    this.replace(shown.model, edges, places);
    const isMuch = edges.size > MANY_EDGES;
    this.renderer.setSetting('hideEdgesOnMove', isMuch);
    this.renderer.setSetting('defaultEdgeType', isMuch ? 'line' : 'arrow');
  }

  /** Looks for better places for all. */
  arrange(): void {
    this.renderer.setCustomBBox(null);
    this.move(this.layout.run(this.shown.model, true), false);
  }

  /** Nearer (below 1) or farther. */
  zoom(factor: number): void {
    const camera = this.renderer.getCamera();
    camera.setState({ ratio: camera.getBoundedRatio(camera.ratio * factor) });
  }

  /** Everything is in sight. */
  fit(): void {
    this.renderer.setCustomBBox(null);
    this.renderer.refresh();
    this.renderer.getCamera().setState({ x: 0.5, y: 0.5, ratio: 1, angle: 0 });
  }

  /** Takes the colours that the page has now. */
  paint(): void {
    this.colours = coloursOf(this.container);
    this.renderer.setSetting('labelColor', { color: this.colours.text });
    this.renderer.setSetting('edgeLabelColor', { color: this.colours.text });
    this.renderer.setSetting('edgeLabelFont', this.colours.font);
    this.renderer.refresh({ skipIndexation: true });
  }

  dispose(): void {
    this.layout.stop();
    this.renderer.kill();
  }

  private replace(model: GraphModel, edges: ReadonlyMap<string, GraphEdge>, places: Places): void {
    const { graph } = this;
    for (const key of graph.edges()) if (!edges.has(key)) graph.dropEdge(key);
    for (const id of graph.nodes()) if (!model.nodes.has(id)) graph.dropNode(id);
    for (const [id, node] of model.nodes) {
      const { x, y } = places.get(id) ?? { x: 0, y: 0 };
      if (!graph.hasNode(id)) graph.addNode(id, { x, y, node });
      else if (!isAt(graph.getNodeAttributes(id), { x, y, node }))
        graph.replaceNodeAttributes(id, { x, y, node });
    }
    for (const [key, edge] of edges) {
      if (!graph.hasEdge(key)) graph.addEdgeWithKey(key, edge.from, edge.to, { edge });
      else if (graph.getEdgeAttribute(key, 'edge') !== edge) graph.replaceEdgeAttributes(key, { edge });
    }
  }

  private move(places: Places, isLast: boolean): void {
    this.graph.updateEachNodeAttributes(
      (id, look) => {
        const { x, y } = places.get(id) ?? look;
        return { ...look, x, y };
      },
      { attributes: ['x', 'y'] },
    );
    // From here on nothing moves because something else comes or goes.
    if (isLast) this.renderer.setCustomBBox(this.renderer.getBBox());
  }

  private nearOf(chosen: string | null): ReadonlySet<string> {
    const near = new Set<string>();
    if (chosen === null) return near;
    for (const [, { from, to }] of drawnEdges(this.shown.model)) {
      if (from === chosen) near.add(to);
      if (to === chosen) near.add(from);
    }
    return near;
  }

  private nodeLook(id: string, { type, summary }: GraphNode) {
    const { comparison, chosen, model } = this.shown;
    const mark = comparison?.nodes.get(id) ?? null;
    const isChosen = id === chosen;
    const isFaint = chosen === null ? comparison !== null && mark === null : !isChosen && !this.near.has(id);
    const color = mark === null ? this.colours.kinds[type] : this.colours.marks[mark];
    const few = model.nodes.size <= FEW;
    const size = (few ? 8 : model.nodes.size > 1500 ? 3 : 6) + (isChosen ? 3 : mark === null ? 0 : 1);
    return {
      label: summary,
      letter: mark === null ? LETTERS[type] : SIGNS[mark],
      color: isFaint ? this.colours.faint : color,
      size,
      forceLabel:
        isChosen || (!isFaint && (few || mark !== null || (this.near.has(id) && this.near.size < 40))),
      highlighted: isChosen,
      zIndex: isChosen ? 2 : isFaint ? 0 : 1,
    };
  }

  private edgeLook(key: string, edge: GraphEdge) {
    const { comparison, chosen } = this.shown;
    const mark = comparison?.edges.get(key) ?? null;
    const isNear = edge.from === chosen || edge.to === chosen;
    const isFaint = chosen === null ? comparison !== null && mark === null : !isNear;
    const against = edge.polarity === 'against' || edge.type === 'CONTRADICTS';
    const color =
      mark === null ? (against ? this.colours.marks.gone : this.colours.line) : this.colours.marks[mark];
    return {
      color: isFaint ? this.colours.faint : color,
      size: isNear || mark !== null ? 2 : 1,
      label: isNear ? `${mark === null ? '' : `${SIGNS[mark]} `}${edgeInWords(edge, true)}` : null,
      forceLabel: isNear && this.near.size < 40,
      zIndex: isFaint ? 0 : 1,
    };
  }
}

/** Whether nothing about a node is new: each that is told to the picture costs time. */
function isAt(before: NodeLook, { x, y, node }: NodeLook): boolean {
  return before.x === x && before.y === y && before.node === node;
}
