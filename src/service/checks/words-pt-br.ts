import type { FindingWords, Sentence } from './finding-words.ts';

/** The words of checks in Brazilian Portuguese. */

const failed = 'A verificação não chegou ao fim.';
const startAgain = 'Inicie o Sinete de novo.';
const automaticTime = 'Deixe a data e a hora do computador no automático.';
const makeRoom = 'Libere espaço no disco e confira se a pasta pertence a você.';
const recover = 'Encerre o Sinete e execute “sinete recover”: ele explica o que pode voltar. Um backup também pode.';
const driverAgain =
  'Reconecte o token e inicie o driver de novo. Se repetir, instale o driver mais novo do fabricante, de 64 bits.';

/** Chooses the singular or the plural by the value `count`. */
const counted =
  (one: string, several: string): Sentence =>
  ({ count }) =>
    count === 1 ? one : several;

export const portuguese: FindingWords = {
  decimal: ',',
  areas: {
    database: ['Banco de dados', 'Pedidos e resultados são gravados aqui antes que algo seja dado como assinado.'],
    'document-store': [
      'Armazenamento de objetos dos documentos',
      'Os documentos de todos os nós ficam aqui; sem ele, novos documentos são recusados.',
    ],
    'database-rows': [
      'Linhas do banco de dados',
      'Até que alguém decida, o Sinete só lê: nada novo é assinado nem guardado.',
    ],
    'lost-and-found': [
      'Documentos encontrados',
      'Documentos sem linha no banco não aparecem no Histórico, mas não são apagados.',
    ],
    results: ['Resultados guardados', 'Um resultado que sumiu ou mudou não é entregue a ninguém.'],
    'data-folder': [
      'Pasta de dados e disco',
      'Documentos precisam de espaço até serem entregues, e a pasta deve ser sua.',
    ],
    'secret-store': [
      'Cofre de segredos',
      'A chave que protege seus arquivos de certificado é guardada pelo sistema operacional.',
    ],
    clock: ['Relógio', 'Uma assinatura diz quando foi feita; com o relógio errado, diz algo falso.'],
    'key-sources': ['Fontes de chaves', 'Arquivos de certificado e tokens são consultados sobre o que contêm.'],
    'key-files': [
      'Arquivos de certificado',
      'As chaves dos arquivos de certificado importados ficam guardadas aqui, cifradas.',
    ],
    'key-source': [
      'Fonte de chaves: {{name}}',
      'Um driver fala com o token. Se ele cair ou travar, o Sinete o para, e você continua trabalhando.',
    ],
    'timestamp-servers': ['Servidores de carimbo do tempo', 'Eles atestam quando uma assinatura foi feita.'],
    'timestamp-server': ['Servidor de carimbo do tempo: {{name}}', 'Ele atesta quando uma assinatura foi feita.'],
    certificates: ['Certificados', 'Assinar exige um certificado dentro do prazo.'],
    certificate: ['Certificado: {{name}}', 'Vale até o último dia; renovar exige agendamento.'],
    trust: ['Dados de confiança', 'Raízes, autoridades e listas de políticas aprovadas vencem.'],
    tokens: ['Cartões e tokens', 'Um cartão é visto quando a leitora, o sistema e um driver funcionam juntos.'],
    drivers: ['Drivers', 'Um driver precisa ser feito para este sistema e processador (64 bits).'],
    sites: [
      'Sites',
      'Os navegadores perguntam antes que um site alcance um programa deste computador, e alguém pode ter dito não.',
    ],
    port: ['Porta', 'Programas e sites encontram o Sinete em uma de cinco portas.'],
    'clock-compared': [
      'Relógio comparado com outro',
      'As autoridades recusam o que vem de uma hora que não é a delas.',
    ],
    secrets: [
      'Armazenamento das chaves',
      'As chaves dos arquivos de certificado precisam continuar disponíveis depois que o Sinete termina.',
    ],
    proxy: ['Proxy', 'Carimbos do tempo e listas de revogação passam por ele.'],
    'damaged-databases': ['Bancos postos de lado', 'Um banco danificado nunca é sobrescrito.'],
    store: ['Armazenamento: {{name}}', 'Aplicações guardam seus documentos ali.'],
    renewals: ['Renovações', 'Arquivos assinados são renovados antes que o último carimbo do tempo termine.'],
    part: ['Verificação: {{name}}', 'Mais uma verificação.'],
  },
  findings: {
    'database-works': 'Grava e lê de volta.',
    'database-fails': [failed, 'Confira o disco da pasta de dados: espaço, cabo e erros. Nada se perde por esperar.'],
    'database-damaged': [
      'O banco de dados está danificado. Nada mais é gravado; os resultados continuam disponíveis.',
      'Inicie o Sinete de novo: ele separa o banco danificado e indica a cópia boa mais recente.',
    ],
    'database-server-fails': [
      failed,
      'Confira o servidor PostgreSQL: se está ativo, o disco dele e a rede até ele. Nada se perde por esperar.',
    ],
    'store-works': 'Responde.',
    'store-fails': [
      'Não responde, ou recusa o acesso. Nada se perde com a espera.',
      'Verifique o armazenamento de objetos, as credenciais dele e a rede até ele.',
    ],
    'folder-works': 'Pode ser gravada. Livres: {{free}}.',
    'folder-fails': [failed, makeRoom],
    'folder-scarce': ['O disco está quase cheio. Livres: {{free}}.', makeRoom],
    'folder-full': ['O disco está cheio: novos documentos são recusados. Livres: {{free}}.', makeRoom],
    'folder-quota': [
      'Os documentos ocupam {{kept}} de {{quota}}, o limite configurado. Novos documentos podem ser recusados.',
      'Espere que documentos guardados vençam, ou aumente limits.disk_quota na configuração.',
    ],
    'rows-whole': 'Nenhuma linha falta.',
    'rows-missing': [
      'O banco perdeu as últimas linhas. Faltam {{transactions}} pedidos e {{documents}} documentos, {{signed}} deles assinados.',
      recover,
    ],
    'rows-unknown': ['O banco perdeu as últimas linhas. Não se sabe quantas.', recover],
    'other-history': ['Este não é o banco que foi usado aqui por último.', recover],
    'database-gone': ['O banco está vazio, mas outro foi usado aqui.', recover],
    'mark-unwritten': [
      'A marca do banco não pode ser gravada. Linhas perdidas daqui em diante não seriam notadas.',
      'Libere espaço no disco e confira se a pasta de dados pertence a você.',
    ],
    'found-none': 'Cada documento da pasta tem a sua linha no banco.',
    'found-unanswered': counted(
      '{{count}} documento na pasta “lost+found” pode ser removido: o pedido dele terminou sem resposta.',
      '{{count}} documentos na pasta “lost+found” podem ser removidos: os pedidos deles terminaram sem resposta.',
    ),
    'found-documents': [
      counted(
        '{{count}} documento sem linha no banco está na pasta “lost+found”.',
        '{{count}} documentos sem linha no banco estão na pasta “lost+found”.',
      ),
      'Veja “found.jsonl” nessa pasta e mova ou apague os documentos.',
    ],
    'found-fails': [failed, 'Confira se a pasta de dados pertence a você.'],
    'results-whole': 'Nenhum resultado guardado falta ou está danificado.',
    'results-damaged': [
      'Entre os resultados guardados, {{missing}} sumiram e {{damaged}} foram danificados.',
      'Restaure um backup ou assine estes documentos de novo. O Histórico diz quais são.',
    ],
    'source-works': 'Funciona.',
    'source-fails': ['Falha. {{because}}', driverAgain],
    'source-quarantined': ['Falhou várias vezes e foi parado.', driverAgain],
    'sources-fail': [failed, `${startAgain} Se repetir, remova drivers que você não usa.`],
    'server-answers': 'Responde.',
    'server-silent': [
      'Não responde.',
      'Confira a rede, o proxy e o endereço do servidor, ou remova-o em Configurações.',
    ],
    'servers-fail': [failed, 'Inicie o Sinete de novo e confira os servidores em Configurações.'],
    'secrets-readable': 'Segredos podem ser guardados e lidos.',
    'secrets-unreadable': [
      'Segredos não podem ser guardados nem lidos agora.',
      'Desbloqueie o chaveiro do sistema e verifique de novo. “Armazenamento das chaves”, abaixo, diz mais.',
    ],
    'secrets-fail': [failed, 'Desbloqueie o chaveiro do sistema e verifique de novo.'],
    'clock-plausible': 'A hora é plausível.',
    'clock-doubted':
      'Deu um salto, ou o computador esteve desligado. Documentos vencidos são mantidos até que a hora se confirme.',
    'clock-ahead': ['Está {{minutes}} minutos adiantado em relação a um servidor de carimbo do tempo.', automaticTime],
    'clock-behind': ['Está {{minutes}} minutos atrasado em relação a um servidor de carimbo do tempo.', automaticTime],
    'clock-early': [
      'Mostra uma hora anterior a algo que já aconteceu.',
      `${automaticTime} Se estiverem certas, confirme-as aqui.`,
    ],
    'clocks-differ': [
      'Os relógios dos nós diferem {{seconds}} segundos.',
      'Mantenha os relógios de todos os nós certos por NTP.',
    ],
    'clock-fails': [failed, automaticTime],
    'tokens-seen': counted(
      '{{count}} token está conectado e visível.',
      '{{count}} tokens estão conectados e visíveis.',
    ),
    'tokens-none': 'Nenhum cartão ou token está conectado.',
    'token-without-driver': [
      'Há um cartão em “{{name}}”, e nenhum driver o reconhece.',
      'Instale o driver do fabricante do token e adicione-o. A página do fabricante diz qual é; tem de ser de 64 bits.',
    ],
    'card-service-stopped': [
      '“{{name}}” está conectado, e o serviço de cartões do sistema não está ativo.',
      'Instale o pacote pcscd e inicie-o: sudo systemctl enable --now pcscd.socket. Depois reconecte o token.',
    ],
    'card-service-idle':
      'Nenhum token foi visto, e o serviço de cartão inteligente do Windows não está em execução. O Windows o inicia quando uma leitora é conectada; se houver uma conectada, inicie “Cartão Inteligente” na lista de serviços (services.msc).',
    'cards-not-told': 'Nenhum driver vê um token. Este sistema não informa se há uma leitora conectada.',
    'drivers-not-callable': [
      'Não é possível usar tokens: falta o pacote {{name}}, que chama os drivers.',
      'Instale o Sinete de novo. Em uma cópia do código, execute “npm ci”; “npx sinete doctor” diz o nome completo do pacote.',
    ],
    'drivers-fit': counted(
      '{{count}} driver, feito para este computador.',
      '{{count}} drivers, todos feitos para este computador.',
    ),
    'driver-other-width': [
      '{{name}} é um driver de 32 bits: {{file}}',
      'Instale o driver de 64 bits do fabricante, remova este e adicione o outro.',
    ],
    'driver-other-processor': [
      '{{name}} é feito para {{architecture}}, e este computador é {{own}}.',
      'Instale o driver do fabricante para o processador deste computador.',
    ],
    'driver-no-library': [
      '{{name}} não é algo que este sistema possa carregar: {{file}}',
      'Remova-o e adicione o próprio driver: um arquivo .so, .dll ou .dylib.',
    ],
    'driver-suggested': [
      'Drivers encontrados neste computador e ainda não adicionados: {{name}}.',
      'Adicione o driver do seu token.',
    ],
    'certificates-good': counted(
      '{{count}} certificado pode assinar hoje.',
      '{{count}} certificados podem assinar hoje.',
    ),
    'certificates-none': [
      'Não há nenhum certificado aqui.',
      'Importe um arquivo de certificado, adicione o driver do seu token ou crie uma identidade de teste.',
    ],
    'certificate-expired': [
      'Venceu em {{day}}.',
      'Emita outro. As assinaturas feitas no prazo dele continuam válidas.',
    ],
    'certificate-expires': [
      counted('Vence em {{count}} dia, em {{day}}.', 'Vence em {{count}} dias, em {{day}}.'),
      'Agende já a renovação com a sua autoridade certificadora.',
    ],
    'certificate-chain': [
      'A autoridade que o emitiu não é conhecida aqui: a cadeia está incompleta.',
      'Busque o que a ICP-Brasil publica, ou importe os certificados da autoridade.',
    ],
    'trust-current': 'Nenhum dado de confiança termina em breve.',
    'trust-ends-soon': 'Uma parte dos dados de confiança termina em breve.',
    'trust-none': [
      'Nenhuma raiz da ICP-Brasil é confiável aqui, e as assinaturas dela não podem ser validadas.',
      'Busque as raízes que a ICP-Brasil publica.',
    ],
    'trust-ended': [
      '{{name}} terminou em {{day}}.',
      'Busque autoridades mais novas: “Atualizar ICP-Brasil” em Configurações.',
    ],
    'trust-ends': [
      '{{name}} termina em {{day}}, e até lá todos os certificados abaixo dela.',
      'Renove a tempo os certificados abaixo dela e busque autoridades mais novas em Configurações.',
    ],
    'policy-list-ended': [
      'A lista de políticas aprovadas terminou em {{day}}.',
      'Busque uma mais nova, de que a AD-RA precisa: “Atualizar ICP-Brasil” em Configurações.',
    ],
    'sites-none': 'Nenhum site alcançou o Sinete desde que ele iniciou.',
    'sites-arrive': '{{name}} alcançou o Sinete com {{browser}}.',
    'sites-refused': [
      '{{name}} alcançou o Sinete com {{browser}} e foi recusado ({{code}}).',
      'Permita o site na página Sites. Se continuar, informe o código a quem o faz.',
    ],
    'port-usual': 'O Sinete atende na porta {{port}}.',
    'port-other': [
      'O Sinete atende na porta {{port}}, porque outras estão ocupadas: {{taken}}.',
      'Os sites também procuram esta porta; você pode ficar com ela. Para ter a porta de costume, encerre o outro programa e inicie o Sinete de novo.',
    ],
    'port-chosen': [
      'O Sinete atende na porta {{port}}, que os sites não procuram.',
      'Tire a porta da configuração, para que os sites encontrem o Sinete. Fique com esta porta se só programas assinam aqui.',
    ],
    'clock-agrees': 'Concorda com {{source}}.',
    'clock-not-compared': 'Não há servidor de carimbo do tempo com que comparar, ou ele não disse a hora.',
    'clock-differs': [
      'Está {{minutes}} minutos adiantado em relação a {{source}} (atrasado se o número for negativo).',
      automaticTime,
    ],
    'secrets-kept': 'As chaves continuam guardadas depois que o Sinete termina.',
    'secrets-in-memory': [
      'Não há chaveiro: as chaves estão só na memória e se perdem quando o Sinete termina.',
      'Instale e desbloqueie um chaveiro como o GNOME Keyring ou o KWallet, ou guarde-as em um arquivo que só você pode ler.',
    ],
    'secrets-in-memory-windows': [
      'O Gerenciador de Credenciais do Windows não guarda as chaves aqui: elas estão só na memória e se perdem quando o Sinete termina.',
      'Execute o Sinete como um usuário que iniciou sessão, ou guarde-as em um arquivo que só você pode ler.',
    ],
    'secrets-in-memory-macos': [
      'As Chaves do macOS não guardam as chaves aqui: elas estão só na memória e se perdem quando o Sinete termina.',
      'Desbloqueie as chaves de início de sessão no app Acesso às Chaves, ou guarde-as em um arquivo que só você pode ler.',
    ],
    'proxy-answers': '{{address}} responde.',
    'proxy-silent': [
      '{{address}} não responde.',
      'Corrija ou remova o proxy em Configurações, e confira se este computador está na rede dele.',
    ],
    'database-whole': 'Nenhum banco foi posto de lado.',
    'database-aside': [
      'Um banco danificado foi posto de lado: {{name}}',
      'Ponha de volta uma cópia ou um backup se faltar algo. Quando não faltar nada, apague o arquivo.',
    ],
    'store-answers': 'Responde.',
    'store-silent': ['Não está acessível. {{because}}', 'Confira o endereço e as credenciais em Configurações.'],
    'renewals-current': counted(
      '{{count}} arquivo assinado é mantido válido.',
      '{{count}} arquivos assinados são mantidos válidos.',
    ),
    'renewals-due': [
      counted(
        'A proteção de {{count}} arquivo assinado termina em breve, e ele não é renovado automaticamente.',
        'A proteção de {{count}} arquivos assinados termina em breve, e eles não são renovados automaticamente.',
      ),
      'Renove-os na página Renovações.',
    ],
    'renewals-failed': [
      counted(
        '{{count}} arquivo assinado não pôde ser renovado.',
        '{{count}} arquivos assinados não puderam ser renovados.',
      ),
      'A página Renovações traz o motivo de cada arquivo.',
    ],
    'renewals-missing': [
      counted(
        'Falta {{count}} arquivo assinado, ou o documento dele.',
        'Faltam {{count}} arquivos assinados, ou os documentos deles.',
      ),
      'Veja quais na página Renovações e ponha os arquivos de volta.',
    ],
    'check-failed': [failed, startAgain],
    'not-examined': ['Não pôde ser examinado.', 'Verifique de novo em instantes.'],
  },
};
