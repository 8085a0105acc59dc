import type { DemoDocument } from './four-steps.ts';
import { writeTextPdf } from './write-text-pdf.ts';

/** The two documents of the demonstration. */
export function sampleDocuments(now: Date): { readonly contract: DemoDocument; readonly note: DemoDocument } {
  const day = now.toLocaleDateString('pt-BR', { dateStyle: 'long', timeZone: 'UTC' });
  const contract = writeTextPdf(
    {
      title: 'Contrato de demonstração',
      paragraphs: [
        'Este documento foi criado pelo Sinete neste computador, para mostrar o caminho inteiro de uma assinatura: criar a transação, enviar o documento, consultar o estado e baixar o resultado.',
        'As partes declaram que nada do que está aqui escrito obriga ninguém: a identidade que assina é de teste, emitida por uma autoridade que existe apenas nesta instalação, e não tem valor legal.',
        'A assinatura, porém, é verdadeira: foi feita no formato PAdES, como atualização incremental, de modo que o arquivo original continua, octeto por octeto, no começo do arquivo assinado.',
        `Feito em ${day}.`,
      ],
      footer: 'Sinete — demonstração, sem valor legal',
    },
    now,
  );
  const note = [
    'Recado de demonstração',
    '',
    'Este texto foi assinado pelo Sinete no formato CAdES, com o conteúdo dentro da assinatura.',
    `Feito em ${day}.`,
    '',
  ].join('\n');
  return {
    contract: { fileName: 'contrato.pdf', mediaType: 'application/pdf', content: contract },
    note: { fileName: 'recado.txt', mediaType: 'text/plain; charset=utf-8', content: Buffer.from(note, 'utf8') },
  };
}
