import type { TextsOf } from './check-text.ts';

export const formatAndIntegrityTexts: TextsOf<'format' | 'integrity'> = {
  PEM_UNWRAPPED: {
    'pt-BR': ['A assinatura estava em formato PEM e foi extraída dele.'],
    en: ['The signature was in PEM format and was extracted from it.'],
  },
  MIME_UNWRAPPED: {
    'pt-BR': ['A assinatura estava em uma mensagem S/MIME e foi extraída dela.'],
    en: ['The signature was in an S/MIME message and was extracted from it.'],
  },
  ENCODING_NOT_DER: {
    'pt-BR': ['A assinatura está codificada em BER, e não em DER, o que é permitido.', 'Nada a fazer.'],
    en: ['The signature is encoded in BER instead of DER. This is allowed.', 'There is nothing to do.'],
  },
  STRUCTURE_SOUND: {
    'pt-BR': ['A estrutura da assinatura está correta.'],
    en: ['The structure of the signature is correct.'],
  },
  STRUCTURE_DAMAGED: {
    'pt-BR': [
      'A estrutura da assinatura está danificada ou não segue o padrão.',
      'Obtenha o arquivo de novo na origem; se o problema persistir, peça ao signatário que assine novamente.',
    ],
    en: [
      'The structure of the signature is damaged, or does not follow the standard.',
      'Get the file again from its source; if it is still damaged, ask the signer to sign again.',
    ],
  },
  CONTENT_TYPE_WRONG: {
    'pt-BR': [
      'O tipo de conteúdo declarado na assinatura está ausente, repetido ou incorreto.',
      'Não confie nesta assinatura; peça ao signatário que assine novamente com outro programa.',
    ],
    en: [
      'The content type declared in the signature is missing, repeated or wrong.',
      'Do not rely on this signature; ask the signer to sign again with another program.',
    ],
  },
  SIGNED_ATTRIBUTE_REPEATED: {
    'pt-BR': [
      'Um atributo assinado que só pode aparecer uma vez está repetido.',
      'Não confie nesta assinatura; peça ao signatário que assine novamente com outro programa.',
    ],
    en: [
      'A signed attribute that may appear only once is repeated.',
      'Do not rely on this signature; ask the signer to sign again with another program.',
    ],
  },
  SIGNED_ATTRIBUTES_UNSORTED: {
    'pt-BR': [
      'Os atributos assinados estão gravados fora da ordem usual; a assinatura cobre a ordem correta.',
      'Nada a fazer; outros verificadores podem recusar a assinatura.',
    ],
    en: [
      'The signed attributes are stored in an unusual order; the signature covers the right order.',
      'There is nothing to do; other validators may refuse the signature.',
    ],
  },
  SIGNED_ATTRIBUTES_REPLAYED: {
    'pt-BR': [
      'A assinatura de outro documento foi reaproveitada como se fosse deste conteúdo.',
      'Não confie neste arquivo: ele foi montado para enganar.',
    ],
    en: [
      'The signature of another document was reused as if it belonged to this content.',
      'Do not trust this file: it was made to deceive.',
    ],
  },
  COUNTER_SIGNATURE_CONTENT_TYPE: {
    'pt-BR': [
      'A contra-assinatura declara um tipo de conteúdo, o que não é permitido nela.',
      'Nada a fazer: alguns programas gravam assim. Se puder, avise o fabricante do programa que contra-assinou.',
    ],
    en: [
      'The counter-signature declares a content type, which is not allowed there.',
      'There is nothing to do: some programs write it. If you can, report it to the maker of the counter-signing program.',
    ],
  },
  DIGEST_INFO_WITHOUT_NULL: {
    'pt-BR': [
      'A assinatura RSA foi escrita numa forma antiga, que poucos programas aceitam.',
      'Nada a fazer: a assinatura é a mesma. Para novas assinaturas, peça ao fabricante do programa que siga a RFC 8017.',
    ],
    en: [
      'The RSA signature is written in an old form that few programs accept.',
      'There is nothing to do: the signature is the same. For new ones, ask the maker of the program to follow RFC 8017.',
    ],
  },
  CONTENT_SIGNED: {
    'pt-BR': ['O conteúdo também é um arquivo assinado; as suas assinaturas estão no relatório.'],
    en: ['The content is itself a signed file; its signatures are in the report.'],
  },
  CONTENT_NOT_EXAMINED: {
    'pt-BR': [
      'O conteúdo parece ter assinaturas próprias, que não foram examinadas.',
      'Extraia o conteúdo e valide-o à parte, se for preciso com o programa que o assinou.',
    ],
    en: [
      'The content seems to have signatures of its own, which were not examined.',
      'Extract the content and validate it by itself, if need be with the program that signed it.',
    ],
  },
  PADDING_BEHIND_SIGNATURE: {
    'pt-BR': [
      'Depois da assinatura há zeros ou espaços em branco.',
      'Nada a fazer: alguns programas gravam assim, e a assinatura não muda com isso.',
    ],
    en: [
      'Zeros or white space follow the signature.',
      'There is nothing to do: some programs write such files, and the signature is not affected.',
    ],
  },
  BYTES_BEHIND_SIGNATURE: {
    'pt-BR': [
      'Depois da assinatura há bytes que não pertencem a ela.',
      'Peça ao signatário o arquivo original da assinatura.',
    ],
    en: [
      'The signature is followed by bytes that do not belong to it.',
      'Ask the signer for the original file of the signature.',
    ],
  },
  PDF_NO_SIGNATURE: {
    'pt-BR': ['O PDF não tem assinatura.', 'Confira se este é o arquivo assinado, e não o original.'],
    en: ['The PDF has no signature.', 'Check that this is the signed file and not the original.'],
  },
  LIMIT_REACHED: {
    'pt-BR': [
      'O arquivo exige mais trabalho do que uma assinatura comum, e a validação parou antes do fim.',
      'Não confie neste arquivo sem conferir sua origem; peça ao signatário um arquivo novo ou use o site oficial de validação.',
    ],
    en: [
      'The file requires more work than an ordinary signature, and the validation stopped before the end.',
      'Do not trust this file before you know its source; ask the signer for a new file, or use the official validation site.',
    ],
  },
  PDF_KIND_UNKNOWN: {
    'pt-BR': [
      'O Sinete não verifica este tipo de assinatura em PDF.',
      'Verifique-a com o programa que a criou ou no site oficial de validação.',
    ],
    en: [
      'Sinete does not check this kind of PDF signature.',
      'Check the signature with the program that made it, or at the official validation site.',
    ],
  },
  PDF_STRUCTURE_UNSOUND: {
    'pt-BR': [
      'A assinatura não está ligada ao PDF como deveria: o arquivo foi danificado, cortado ou manipulado.',
      'Não confie neste arquivo: peça ao signatário o documento que ele assinou.',
    ],
    en: [
      'The signature is not bound to the PDF as required: the file was damaged, cut off or manipulated.',
      'Do not trust this file: ask the signer for the document that was signed.',
    ],
  },
  PDF_INCOMPLETE: {
    'pt-BR': [
      'O arquivo PDF está incompleto: a sua última versão foi cortada, talvez com uma assinatura.',
      'Peça o arquivo de novo a quem o enviou e confira se ele foi transferido por inteiro.',
    ],
    en: [
      'The PDF file is incomplete: its last version was cut off, perhaps with a signature.',
      'Ask the sender for the file again, and check that the whole file arrives.',
    ],
  },
  PDF_USAGE_RIGHTS: {
    'pt-BR': ['O PDF tem direitos de uso da Adobe (Reader-extended), que não são a assinatura de uma pessoa.'],
    en: ['The PDF is Reader-extended by Adobe, which is not the signature of a person.'],
  },
  PDF_SIGNATURE_REMOVED: {
    'pt-BR': [
      'Uma assinatura foi removida do PDF: uma versão anterior do arquivo ainda a tem.',
      'Peça o documento assinado a quem o assinou, ou veja a versão anterior.',
    ],
    en: [
      'A signature was removed from the PDF: an earlier version of the file still has it.',
      'Ask the signer for the signed document, or look at the earlier version.',
    ],
  },
  PDF_FIELD_NOT_LISTED: {
    'pt-BR': [
      'Uma página mostra um campo de assinatura que o formulário do PDF não declara; a assinatura dele não foi validada.',
      'Não confie nessa assinatura: ela pode aparecer em um programa e não em outro.',
    ],
    en: [
      'A page shows a signature field that the form of the PDF does not list; its signature was not validated.',
      'Do not rely on this signature: one program may show it, and another may not.',
    ],
  },
  PDF_PADDING_UNUSUAL: {
    'pt-BR': [
      'O espaço reservado para a assinatura no PDF não está preenchido com zeros, como deveria.',
      'Nada a fazer: alguns programas o deixam assim em arquivos criptografados, e a assinatura não muda com isso.',
    ],
    en: [
      'The space reserved for the signature in the PDF is not filled with zeros, as it should be.',
      'There is nothing to do: some programs leave it like this in encrypted files, and the signature is not affected.',
    ],
  },
  PDF_VALUE_BEHIND_SIGNATURE: {
    'pt-BR': [
      'No espaço da assinatura do PDF há, depois dela, outros dados com a forma de uma assinatura. Esses dados não estão assinados.',
      'Não considere esses dados: o resultado vale somente para a primeira assinatura. Pergunte a quem enviou o arquivo de onde eles vêm.',
    ],
    en: [
      'In the PDF, other data in the form of a signature follows the signature. This data is not signed.',
      'Disregard this data: the result is about the first signature alone. Ask the sender of the file where the data comes from.',
    ],
  },
  PDF_FILE_UNSOUND: {
    'pt-BR': [
      'O arquivo PDF contém dados incomuns antes, depois ou fora do documento.',
      'Prefira uma cópia obtida diretamente de quem assinou.',
    ],
    en: [
      'The PDF file contains unusual data before, after or outside the document.',
      'Use a copy that comes directly from the signer.',
    ],
  },
  INTEGRITY_INTACT: {
    'pt-BR': ['O conteúdo é exatamente o que foi assinado.'],
    en: ['The content is exactly what was signed.'],
  },
  CONTENT_CHANGED: {
    'pt-BR': [
      'O conteúdo foi alterado depois de assinado, ou é de outro documento.',
      'Não confie neste documento; confira se escolheu o arquivo certo e peça o original a quem assinou.',
    ],
    en: [
      'The content was changed after it was signed, or it is another document.',
      'Do not rely on this document; check that it is the right file, and ask the signer for the original.',
    ],
  },
  CONTENT_DIFFERS_FROM_ENCLOSED: {
    'pt-BR': [
      'O documento indicado não é o que está dentro da assinatura.',
      'Valide a assinatura sem indicar um documento, ou indique o documento certo.',
    ],
    en: [
      'The given document is not the document inside the signature.',
      'Validate the signature without a document, or provide the right one.',
    ],
  },
  SIGNATURE_VALUE_WRONG: {
    'pt-BR': [
      'O valor da assinatura não corresponde à chave do signatário ou ao que foi assinado.',
      'Não confie nesta assinatura; peça ao signatário que assine novamente.',
    ],
    en: [
      "The signature value does not match the signer's key or the signed data.",
      'Do not rely on this signature; ask the signer to sign again.',
    ],
  },
  CONTENT_NOT_GIVEN: {
    'pt-BR': [
      'A assinatura é separada (detached) e o documento assinado não foi informado.',
      'Informe também o documento que foi assinado.',
    ],
    en: [
      'The signature is detached, and the signed document was not provided.',
      'Provide the signed document as well.',
    ],
  },
  INTEGRITY_UNKNOWN: {
    'pt-BR': [
      'Não foi possível conferir o conteúdo: este tipo raro de assinatura exige lê-lo inteiro na memória.',
      'Verifique a assinatura com o programa que a criou ou no site oficial de validação.',
    ],
    en: [
      'The content could not be checked: this rare kind of signature requires the whole content in memory.',
      'Check the signature with the program that made it, or at the official validation site.',
    ],
  },
};
