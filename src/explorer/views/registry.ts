import type { ComponentType } from 'preact';

/** A view: what the navigation calls it, and where its code is. */
export interface View {
  /** First part of its address; a link once sent to somebody keeps working, so it never changes. */
  readonly path: string;
  readonly title: string;
  /** Loads its code, which nobody needs before. */
  readonly load: () => Promise<ComponentType>;
}

/** The views in the order of the navigation; the first one is where the page begins. One folder and one entry each. */
export const VIEWS: readonly View[] = [
  { path: 'home', title: 'Home', load: async () => (await import('./home/home.tsx')).Home },
  { path: 'entity', title: 'Entity', load: async () => (await import('./entity/entity.tsx')).Entity },
  { path: 'why', title: 'Why', load: async () => (await import('./why/why.tsx')).Why },
  { path: 'scopes', title: 'Scopes', load: async () => (await import('./scopes/scopes.tsx')).Scopes },
  { path: 'time', title: 'Time', load: async () => (await import('./time/time.tsx')).Time },
  {
    path: 'timeline',
    title: 'Timeline',
    load: async () => (await import('./timeline/timeline.tsx')).Timeline,
  },
  { path: 'recall', title: 'Recall', load: async () => (await import('./recall/recall.tsx')).Recall },
  {
    path: 'conflicts',
    title: 'Conflicts',
    load: async () => (await import('./conflicts/conflicts.tsx')).Conflicts,
  },
  { path: 'forget', title: 'Forget', load: async () => (await import('./forget/forget.tsx')).Forget },
  { path: 'audit', title: 'Audit', load: async () => (await import('./audit/audit.tsx')).Audit },
];
