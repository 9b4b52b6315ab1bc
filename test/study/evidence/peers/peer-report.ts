import { shareText } from '../../../../extension/evaluation/measure/replay/replay-text';
import { meanWithInterval } from '../../../../extension/evaluation/measure/statistics';
import type { FoundAt, PeerCell } from '../found';

/** Ranks the published algorithms by the names that they keep. Bootstrap over projects. */
export function peerCells(scores: readonly FoundAt[]): PeerCell[] {
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

/** The published algorithms, best first. */
export function peerSection(peers: readonly PeerCell[]): string[] {
  if (peers.length === 0) return [];
  return [
    '## Published algorithms in the same tokens',
    '',
    'Each keeps as much as fits into a quarter of the tokens of what is replaced. Mean share in percent [95 % interval by bootstrap over',
    'projects] (boundaries). Over: boundaries at which it does not get that small; they are in no mean.',
    '',
    `| algorithm | names that later work used | messages of the person word for word | mean tokens | over |`,
    '| --- | --- | --- | --- | --- |',
    ...peers.map(
      ({ way, names, messages, tokens, overBudget, boundaries }) =>
        `| ${way} | ${shareText(names)} | ${shareText(messages)} | ${tokens} | ${overBudget} of ${boundaries} |`,
    ),
    '',
  ];
}
