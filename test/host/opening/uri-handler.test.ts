import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type LinkServices, registerUriHandler } from '../../../extension/host/opening/uri-handler';

/** Tests of links from other programs: what is opened at once, and what a person is asked about first. */

const editor = vi.hoisted(() => ({
  handle: async (_link: { path: string; query: string }): Promise<void> => undefined,
  answer: undefined as string | undefined,
  asked: [] as string[],
  told: [] as string[],
}));

vi.mock('vscode', () => ({
  l10n: { t: (message: string, ...values: unknown[]) => message.replace(/\{(\d)\}/g, (_, at) => String(values[at])) },
  window: {
    registerUriHandler: ({ handleUri }: { handleUri: typeof editor.handle }) => {
      editor.handle = handleUri;
    },
    showWarningMessage: async (message: string, options?: { detail?: string }) => {
      if (options?.detail === undefined) editor.told.push(message);
      else editor.asked.push(options.detail);
      return editor.answer;
    },
    showErrorMessage: async (message: string) => void editor.told.push(message),
    showInformationMessage: async (message: string) => void editor.told.push(message),
  },
}));

const ofAgent = '/home/ada/.claude/projects/p/a.jsonl';
const fromElsewhere = '/work/cloned/sessions/b.jsonl';
const opened: string[] = [];

/** Both sessions are in the list: one where the agent keeps its sessions, one in a folder of the settings. */
const services = {
  sessions: {
    isInAgentFolder: (file: string) => file === ofAgent,
    read: async () => [{ file: ofAgent }, { file: fromElsewhere }],
    fileOf: async (_agent: string, id: string) => (id === 'b' ? fromElsewhere : null),
  },
  inspector: { open: async (file: string) => void opened.push(file) },
  placements: { show: async () => undefined },
  log: { error: () => undefined, warn: () => undefined, info: () => undefined },
} as unknown as LinkServices;

beforeEach(() => {
  opened.length = 0;
  Object.assign(editor, { answer: undefined, asked: [], told: [] });
  registerUriHandler(services);
});

const follow = (query: string) => editor.handle({ path: '/open', query });

describe('a link to a session', () => {
  it('opens at once if the agent itself keeps the file', async () => {
    await follow(`file=${ofAgent}`);
    expect(editor.asked).toEqual([]);
    expect(opened).toEqual([ofAgent]);
  });

  it.each([`file=${fromElsewhere}`, 'agent=claude-code&id=b'])(
    'asks first if a listed file comes from elsewhere: %s',
    async (query) => {
      await follow(query);
      expect(editor.asked).toEqual([fromElsewhere]);
      expect(opened).toEqual([]);
      editor.answer = 'Open';
      await follow(query);
      expect(opened).toEqual([fromElsewhere]);
    },
  );

  it('asks first if no list has the file', async () => {
    await follow('file=//server/share/c.jsonl');
    expect(editor.asked).toEqual(['//server/share/c.jsonl']);
    expect(opened).toEqual([]);
  });
});
