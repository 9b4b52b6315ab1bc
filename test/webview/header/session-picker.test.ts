import { describe, expect, it } from 'vitest';
import type { SessionListItem } from '../../../extension/protocol/view';
import { SessionPicker } from '../../../webview/state/header/session-picker.svelte';
import { Notices } from '../../../webview/state/notices.svelte';
import { flush, listItem, testHost } from '../builders/view';

function open(...sessions: readonly SessionListItem[]) {
  const opened: string[] = [];
  const note = (what: string) => {
    opened.push(what);
    return null;
  };
  const host = testHost({
    'list-sessions': async () => sessions,
    'open-session': async ({ file }) => note(file),
    'choose-session-file': async () => note('dialog'),
  });
  const notices = new Notices();
  const picker = new SessionPicker(host.request, notices);
  picker.sessions = sessions;
  picker.open();
  return { picker, opened, notices };
}

const names = (picker: SessionPicker) =>
  picker.entries.map((entry) => (entry.kind === 'session' ? entry.session.file : entry.kind)).join(' ');

describe('the session picker', () => {
  it('lists live sessions first, then the newest, and the choice of a file at the end', () => {
    const { picker } = open(
      listItem('old', { modified: 1 }),
      listItem('new', { modified: 9 }),
      listItem('live', { modified: 5, live: true }),
    );

    expect(names(picker)).toBe('live new old choose-file');
  });

  it('offers nothing, not even the choice of a file, until the sessions have been listed', async () => {
    const { picker, opened } = open();
    expect([picker.isLooking, names(picker)]).toEqual([true, '']);
    expect([picker.press('Enter'), picker.press('ArrowUp'), picker.activeIndex]).toEqual([false, false, 0]);

    await flush();

    expect([picker.isLooking, names(picker), opened]).toEqual([false, 'choose-file', []]);
  });

  it('finds sessions that have all the words', () => {
    const { picker } = open(
      listItem('a', { title: 'Fix the loader', cwd: '/work/api' }),
      listItem('b', { title: 'Fix the tests', cwd: '/work/site' }),
    );

    picker.search('fix API');

    expect(names(picker)).toBe('a choose-file');
  });

  it('finds sessions by their branch', () => {
    const { picker } = open(listItem('a', { branch: 'fix/loader' }), listItem('b', { branch: 'main' }));

    picker.search('loader');

    expect(names(picker)).toBe('a choose-file');
  });

  it('knows what the list says of the session that is being opened', () => {
    const { picker } = open(listItem('a', { title: 'Fix the loader' }));

    expect(picker.outlineOf('a')?.title).toBe('Fix the loader');
    expect(picker.outlineOf('elsewhere')).toBe(null);
  });

  it('moves with the arrows, around both ends', () => {
    const { picker } = open(listItem('a'), listItem('b'));

    picker.press('ArrowUp');
    expect(picker.activeIndex).toBe(2);
    picker.press('ArrowDown');
    picker.press('ArrowDown');
    expect(picker.activeIndex).toBe(1);
    expect(picker.press('x')).toBe(false);
  });

  it('opens what Enter is pressed on', () => {
    const { picker, opened } = open(listItem('a', { modified: 2 }), listItem('b', { modified: 1 }));

    picker.press('ArrowDown');
    picker.press('Enter');

    expect([opened, picker.isOpen]).toEqual([['b'], false]);
  });

  it('opens the file dialog from its last entry', () => {
    const { picker, opened } = open(listItem('a'));

    picker.press('ArrowUp');
    picker.press('Enter');

    expect(opened).toEqual(['dialog']);
  });

  it('says what went wrong', async () => {
    const host = testHost();
    const notices = new Notices();
    new SessionPicker(host.request, notices).open();
    await flush();

    expect(notices.list).toMatchObject([
      { tone: 'error', text: 'The sessions were not listed: The test host does not answer list-sessions' },
    ]);
  });

  it('narrows the list down to an agent and a folder, and back', () => {
    const { picker } = open(
      listItem('a', { agentName: 'pi', cwd: '/work/api', modified: 3 }),
      listItem('b', { agentName: 'pi', cwd: '/work/site', modified: 2 }),
      listItem('c', { agentName: 'Codex', cwd: '/work/api', modified: 1 }),
    );
    picker.narrow('agent', 'pi');
    expect(names(picker)).toBe('a b choose-file');
    picker.narrow('folder', '/work/api');
    expect(names(picker)).toBe('a choose-file');
    picker.narrow('agent', null);
    expect(names(picker)).toBe('a c choose-file');
    picker.open();
    expect(names(picker)).toBe('a b c choose-file');
  });

  it('counts for each agent and folder what matches everything else', () => {
    const { picker } = open(
      listItem('a', { agentName: 'pi', cwd: '/work/api' }),
      listItem('b', { agentName: 'pi', cwd: '/work/site' }),
      listItem('c', { agentName: 'Codex', cwd: '/work/site' }),
    );
    const counts = () => [picker.agents, picker.folders].map((each) => each.map((one) => `${one.value} ${one.count}`));

    expect(counts()).toEqual([
      ['pi 2', 'Codex 1'],
      ['/work/site 2', '/work/api 1'],
    ]);
    picker.narrow('folder', '/work/site');
    expect(counts()[0]).toEqual(['pi 1', 'Codex 1']);
    picker.search('codex');
    expect(counts()).toEqual([
      ['Codex 1', 'pi 0'],
      ['/work/site 1', '/work/api 0'],
    ]);
  });

  it('says that nothing matches, and still leads to another file', () => {
    const { picker } = open(listItem('a'));
    picker.search('zzz');

    expect([picker.found, names(picker)]).toEqual([[], 'choose-file']);
  });

  it('offers no filter that would narrow nothing down', () => {
    const { picker } = open(listItem('a', { agentName: 'pi' }), listItem('b', { agentName: 'pi' }));

    expect(picker.agents).toEqual([]);
  });
});
