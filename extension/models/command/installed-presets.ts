import type { ModelCommand } from './model-command';
import { presets } from './presets';
import { programOnPath } from './program-on-path';

/** The agents whose programs are on `PATH`. Starts none of them. */
export async function installedPresets(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<ModelCommand[]> {
  const found = await Promise.all(presets.map(({ program }) => programOnPath([program], environment)));
  return presets.filter((_, at) => found[at] !== null);
}
