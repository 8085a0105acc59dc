import type { DemoDocument } from './four-steps.ts';
import { writeTextPdf } from './write-text-pdf.ts';

/** The documents of the demonstration. */
export function sampleDocuments(now: Date): Readonly<Record<'contract' | 'note' | 'archive', DemoDocument>> {
  const day = now.toLocaleDateString('pt-BR', { dateStyle: 'long', timeZone: 'UTC' });
  const contract = writeTextPdf(
    {
      title: 'Contrato de demonstração',
      paragraphs: [
        'Este documento foi criado pelo Sinete neste computador, para mostrar o caminho inteiro de uma assinatura: criar a transação, enviar o documento, consultar o estado e baixar o resultado.',
        'As partes declaram que nada do que está aqui escrito obriga ninguém: a identidade que assina é de teste, emitida por uma autoridade que existe apenas nesta instalação, e não tem valor legal.',
        'A assinatura, porém, é verdadeira: foi feita no formato PAdES, como atualização incremental, de modo que o arquivo original continua, byteo por byteo, no começo do arquivo assinado.',
        `Feito em ${day}.`,
      ],
      footer: 'Sinete — demonstração, sem valor legal',
    },
    now,
  );
  const archive = writeTextPdf(
    {
      title: 'Documento para guardar',
      paragraphs: [
        'Este documento recebe, além da assinatura, o que a prova daqui a anos: um carimbo do tempo, os certificados, as respostas sobre revogação e um segundo carimbo do tempo sobre tudo isso (PAdES B-LTA).',
        'O carimbo vem dos serviços de teste desta instalação, e não tem valor legal.',
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
    archive: { fileName: 'para-guardar.pdf', mediaType: 'application/pdf', content: archive },
    note: { fileName: 'recado.txt', mediaType: 'text/plain; charset=utf-8', content: Buffer.from(note, 'utf8') },
  };
}
