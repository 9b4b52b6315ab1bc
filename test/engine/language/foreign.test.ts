import { describe, expect, it } from 'vitest';
import { isForeignTo } from '../../../extension/engine/language/foreign';

const english = [
  'Please make the renderer stop flickering, and keep the public API as it is. Run the tests when you are done with it.',
  'I read the renderer and found that it clears the screen before each frame. I changed that, and all tests pass now.',
];

const texts = {
  German:
    'Ich habe die Datei `src/tui.ts` gelesen und den Fehler gefunden. Der Bildschirm wird vor jedem Bild gelöscht, und das ist der Grund für das Flackern. Die Tests sind noch nicht gelaufen.',
  French:
    "J'ai lu le fichier et trouvé la cause du scintillement. Les tests ne sont pas encore passés, et il faut garder une interface stable pour que les autres modules continuent avec elle dans la suite.",
  Spanish:
    'He leído el archivo y la causa del parpadeo está en la pantalla que se borra por cada cuadro. Los cambios de las pruebas no se han ejecutado, y una interfaz estable es necesaria para el resto.',
  Portuguese:
    'Eu li o arquivo e a causa está na tela que foi apagada para cada quadro. Os testes não foram executados, e uma interface estável é necessária para o resto do trabalho com os outros módulos.',
  Italian:
    'Ho letto il file e la causa dello sfarfallio è nello schermo che viene cancellato per ogni quadro. Le prove non sono state eseguite, e una interfaccia stabile è necessaria con gli altri moduli del progetto.',
  Dutch:
    'Ik heb het bestand gelezen en de oorzaak van het flikkeren gevonden. Het scherm wordt voor elk beeld gewist, en dat is niet nodig. De tests zijn nog niet gedraaid op dit moment met de rest.',
  Russian: 'Я прочитал файл и нашёл причину мерцания. Экран очищается перед каждым кадром. Тесты ещё не запущены.',
  Japanese:
    'ファイルを読んで、ちらつきの原因を見つけました。画面が毎回消去されています。テストはまだ実行していません。',
} as const;

describe('a text in another language', () => {
  it.each(Object.entries(texts))('is foreign to a conversation in English: %s', (_, text) => {
    expect(isForeignTo(text, english)).toBe(true);
  });

  it.each(Object.entries(texts))('is not foreign if the person writes so too: %s', (_, text) => {
    expect(isForeignTo(text, [...english, text.slice(0, 90)])).toBe(false);
  });

  it.each(Object.entries(texts))(
    'is English prose to a conversation in %s, unless the agent answers in English',
    (_, text) => {
      expect(isForeignTo(english.join(' '), [text])).toBe(true);
      expect(isForeignTo(english.join(' '), [text, ...english])).toBe(false);
    },
  );

  it('a text in another language is not English if there is little of another language, or little English prose', () => {
    expect(isForeignTo(english.join(' '), ['Bitte den Fehler suchen.'])).toBe(false);
    const terse = Array.from({ length: 30 }, (_, at) => `- src/tui-${at}.ts: renderer fixed, tests pass`).join('\n');
    expect(isForeignTo(terse, [texts.German])).toBe(false);
  });

  it('a text in another language is not a list of names and calls', () => {
    const list = Array.from(
      { length: 40 },
      (_, at) => `- **read** | Inputs: path=src/die/el_${at}.ts | Outcome: success`,
    );
    expect(isForeignTo(list.join('\n'), english)).toBe(false);
    expect(isForeignTo('¡Hola! 你好', english)).toBe(false);
  });
});
