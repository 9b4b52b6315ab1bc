import type { Inspector } from '../inspector';
import type { Placements } from '../panel/placements';
import type { SessionList } from './session-list';

export interface OpeningServices {
  readonly inspector: Inspector;
  readonly placements: Placements;
  readonly sessions: SessionList;
}

/** Opens the newest session of the open folder and shows the panel, which explains what to do without one. */
export async function openNewest({ inspector, placements, sessions }: OpeningServices): Promise<void> {
  const newest = await sessions.newestHere();
  const isOpen = newest === undefined || inspector.inspection?.session.file === newest.file;
  await Promise.all([isOpen ? null : inspector.open(newest.file), placements.show(true)]);
}
