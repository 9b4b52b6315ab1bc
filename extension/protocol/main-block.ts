import type { RunBlockView } from './view.ts';

/** The only block of a run that no other one covers; null if there are several. The run is shown as this block. */
export function mainBlock<Block extends Pick<RunBlockView, 'place'>>(run: {
  readonly blocks: readonly Block[];
}): Block | null {
  const { blocks } = run;
  const [only, ...others] = blocks.length === 1 ? blocks : blocks.filter(({ place }) => place !== 'covered');
  return only && others.length === 0 ? only : null;
}
