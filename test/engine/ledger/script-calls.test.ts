import { describe, expect, it } from 'vitest';
import { workByCommand } from '../../../extension/engine/ledger/commands';
import { workByFile } from '../../../extension/engine/ledger/files';
import { planOf } from '../../../extension/engine/ledger/plan';
import { callsInScript } from '../../../extension/engine/ledger/script-calls';
import { toolStepsOf } from '../../../extension/engine/ledger/steps';
import { call, result, type Said, talk, user } from '../../builders/conversation';

const inputs = (script: string) => callsInScript(script).map(({ input }) => input);

describe('the tools that a script calls', () => {
  it('the tools that a script calls have the arguments that the script states', () => {
    const script = `// tools.exec_command({cmd:"no"})
const workdir = '/app'; const at = 3;
const r = await tools.exec_command({cmd: "git log | sed -n '1,2p' && echo \\"}\\"", 'workdir': workdir, yield_time_ms: 1_000, max: limit()});
text(r.output.replace(/tools.exec_command({/g, ""));
const [a, b] = await Promise.all([
  tools.exec_command({cmd: \`cat \${workdir}/a.ts\`, workdir}),
  tools.exec_command({cmd: ["one", 'two'].join("\\n") + "\\u00e9",}),
]);`;
    expect(inputs(script)).toEqual([
      { cmd: `git log | sed -n '1,2p' && echo "}"`, workdir: '/app', yield_time_ms: 1000 },
      { cmd: 'cat /app/a.ts', workdir: '/app' },
      { cmd: 'one\ntwo\u00e9' },
    ]);
  });

  it('the calls of a script take texts of constants and raw templates', () => {
    const patch = '*** Begin Patch\n*** Update File: a.ts\n@@\n-a\\n\n+b\n*** End Patch';
    expect(inputs(`const patch = ${JSON.stringify(patch)};\ntext(await tools.apply_patch(patch));`)).toEqual([patch]);
    expect(inputs(`await tools.apply_patch(String.raw\`${patch}\`)`)).toEqual([patch]);
  });

  it('the calls of a script have only names if their arguments are computed, or if they may not run', () => {
    expect(inputs('const run = (cmd) => tools.exec_command({cmd}); await run("ls")')).toEqual([{}]);
    expect(inputs('if (ok) { await tools.exec_command({cmd:"git push"}) }')).toEqual([null]);
    expect(inputs('for (const f of files) { await tools.exec_command({cmd:"rm " + f}) }')).toEqual([null]);
    expect(inputs('try { await tools.exec_command({cmd:"ls"}) } catch (e) { text(e) }')).toEqual([{ cmd: 'ls' }]);
  });

  it('the calls of a script are read although it has invalid characters', () => {
    expect(inputs(String.raw`tools.a("\u{1F60000}\u{1F600}")`)).toEqual(['\ufffd\u{1F600}']);
    expect(inputs(String.raw`tools.a("C:\users\xyz")`)).toEqual(['C:usersxyz']);
  });

  it('the calls of a script have only names if their arguments are nested too deeply', () => {
    for (const opened of ['[', '{a:', '`${', '[`${'])
      expect(inputs(`tools.a(${opened.repeat(20_000)}`)).toEqual([null]);
    expect(inputs(`tools.a(${'['.repeat(20_000)}${']'.repeat(20_000)}); tools.b("x")`)).toEqual([null, 'x']);
    expect(inputs(`tools.a(${'`${'.repeat(100)}f()${'}`'.repeat(100)}); tools.b("x")`)).toEqual([null, 'x']);
  });
});

const script = (id: string, input: string) => call(id, 'exec', input);
const completed = (id: string, output: string) =>
  result(id, `Script completed\nWall time 1.0 seconds\nOutput:\n\n${output}`);
const stepsOf = (...said: readonly Said[]) => toolStepsOf(talk(user('do it'), said).entries);

/** The checks with their outcomes, one line each. */
function checks(...said: readonly Said[]): string[] {
  return workByCommand(stepsOf(...said)).map(({ command, problem }) => `${command}: ${problem ?? 'passed'}`);
}

describe('the work of scripts', () => {
  it('the work of scripts is that of the tools that they call', () => {
    const patch = '*** Begin Patch\n*** Add File: src/a.ts\n+export const value = 1;\n*** End Patch';
    const steps = stepsOf(
      script('a', `const patch = ${JSON.stringify(patch)};\ntext(await tools.apply_patch(patch));`),
      completed('a', '{}'),
      script('b', 'await tools.update_plan({plan:[{step:"Write it",status:"completed"},{step:"Test it"}]});'),
      completed('b', '{}'),
    );
    expect(workByFile(steps)).toMatchObject([{ path: 'src/a.ts', isCreated: true, changes: 1 }]);
    expect(planOf(steps).map(({ text, state }) => [text, state])).toEqual([
      ['Write it', 'done'],
      ['Test it', 'pending'],
    ]);
  });

  it('the work of scripts ends as the record of each command says', () => {
    const both = `const rs = await Promise.all([
      tools.exec_command({cmd:"mise run test"}), tools.exec_command({cmd:"mise run vet"})]); rs.forEach(r => text(JSON.stringify(r)))`;
    const output = ['{"exit_code":1,"output":"FAIL: TestA"}', '{"exit_code":0,"output":"error: none\\n"}'].join('\n');
    expect(checks(script('a', both), completed('a', output))).toEqual([
      'mise run test: FAIL: TestA',
      'mise run vet: passed',
    ]);
    expect(
      checks(script('b', 'text(await tools.exec_command({cmd:"cargo test"}))'), completed('b', 'ok. 3 passed')),
    ).toEqual(['cargo test: passed']);
  });

  it('the work of scripts is unknown if several commands share an output that has a failure', () => {
    const both = `const a = await tools.exec_command({cmd:"npm test"}); const b = await tools.exec_command({cmd:"npm run lint"});
      text(a.output + b.output)`;
    expect(checks(script('a', both), completed('a', 'FAIL src/a.test.ts'))).toEqual([]);
    expect(checks(script('b', both), completed('b', 'fine'))).toEqual(['npm test: passed', 'npm run lint: passed']);
  });

  it('fails with the script', () => {
    const failed = result(
      'a',
      'Script failed\nWall time 0.0 seconds\nOutput:\n\nScript error:\nFailed to find lines in a.ts',
    );
    const steps = stepsOf(
      script('a', 'await tools.apply_patch("*** Begin Patch\\n*** Update File: a.ts\\n*** End Patch")'),
      failed,
    );
    expect(workByFile(steps)).toMatchObject([{ path: 'a.ts', changes: 0, problem: 'Failed to find lines in a.ts' }]);
  });
});

describe('a command that continues after its result', () => {
  const started = [
    call('a', 'exec_command', { cmd: 'cargo test' }),
    result('a', 'Chunk ID: 1\nWall time: 1.0 seconds\nProcess running with session ID 77\nOutput:\nCompiling'),
  ];

  it('a command that continues after its result has no outcome before it ends', () => {
    expect(checks(...started)).toEqual([]);
  });

  it('takes its outcome from the call that waits for it', () => {
    const waited = call('b', 'write_stdin', { session_id: 77, chars: '' });
    const ended = (text: string, isError: boolean) => result('b', `Chunk ID: 2\n${text}`, isError);
    const passed = ended('Process exited with code 0\nOutput:\nok. 3 passed', false);
    expect(checks(...started, waited, passed)).toEqual(['cargo test: passed']);
    const failed = ended('Process exited with code 101\nOutput:\nerror[E0425]: cannot find value', true);
    expect(checks(...started, waited, failed)).toEqual([expect.stringMatching(/^cargo test: (?!passed)/)]);
  });

  it('a command that continues after its result may be part of a script that continues', () => {
    const waiting = [
      script('a', 'const r = await tools.exec_command({cmd:"cargo test"}); text(JSON.stringify(r))'),
      result('a', 'Script running with cell ID 16\nWall time 10.0 seconds\nOutput:\n'),
    ];
    expect(checks(...waiting)).toEqual([]);
    const waited = [call('b', 'wait', { cell_id: '16' }), completed('b', '{"session_id":5,"output":"Compiling"}')];
    expect(checks(...waiting, ...waited)).toEqual([]);
    const ended = [
      script('c', 'const r = await tools.write_stdin({session_id:5,chars:""}); text(JSON.stringify(r))'),
      completed('c', '{"exit_code":0,"output":"error: 0 of them"}'),
    ];
    expect(checks(...waiting, ...waited, ...ended)).toEqual(['cargo test: passed']);
  });
});
