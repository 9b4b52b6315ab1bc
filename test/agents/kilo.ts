import type { Agent } from './agent';
import { openCode } from './opencode';
import versions from './versions.json';
import { withUserTexts } from './wire/utterance';

export const kilo: Agent = {
  ...openCode,
  id: 'kilo',
  // The platform's own package: the general package looks for it by its own version, which is not always published.
  packageName: '@kilocode/cli-linux-x64',
  version: versions.kilo,
  program: 'kilo',
  files: (place) => ({ '.config/kilo/kilo.json': Object.values(openCode.files(place)).join() }),
  variables: () => ({ KILO_DISABLE_AUTOUPDATE: '1', KILO_DISABLE_MODELS_FETCH: '1' }),
  asKept: (said) => withUserTexts(said, withoutEnvironment),
};

/** Removes what Kilo adds to prompts in each request, because no file contains it. */
function withoutEnvironment(text: string): string {
  return text.replace(/<environment_details>[\s\S]*?<\/environment_details>/g, '');
}
