import type { BoundaryScore, PeerCell } from '../replay';
import { meanWithInterval } from '../statistics';

/** Ranks the published algorithms by the names that they keep. Bootstrap over projects. */
export function peerCells(scores: readonly BoundaryScore[]): PeerCell[] {
  const ways = [...new Set(scores.flatMap(({ peers }) => peers.map(({ way }) => way)))];
  const cells = ways.map((way): PeerCell => {
    const all = scores.flatMap(({ project, names, messages, peers }) =>
      peers.filter((peer) => peer.way === way).map((peer) => ({ project, needed: { names, messages }, peer })),
    );
    const fits = all.filter(({ peer }) => peer.isWithinBudget);
    const estimate = (measure: 'names' | 'messages') =>
      meanWithInterval(
        fits
          .filter(({ needed }) => needed[measure] > 0)
          .map(({ project, needed, peer }) => ({ cluster: project, value: peer[measure] / needed[measure] })),
      );
    return {
      way,
      names: estimate('names'),
      messages: estimate('messages'),
      tokens: Math.round(fits.reduce((sum, { peer }) => sum + peer.tokens, 0) / Math.max(1, fits.length)),
      overBudget: all.length - fits.length,
      boundaries: all.length,
    };
  });
  return cells.sort((one, other) => (other.names?.mean ?? -1) - (one.names?.mean ?? -1));
}
