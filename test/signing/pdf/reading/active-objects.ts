import { onePage, type Objects } from '../build-pdf.ts';

/** A page with a script at opening, a launch action, an attachment, an XFA form, a film and a hidden layer. */
export const activeObjects: Objects = onePage({
  1: '<</Type /Catalog /Pages 2 0 R /OpenAction 6 0 R /Names <</EmbeddedFiles <</Names [(a) 8 0 R]>>>> /AcroForm <</Fields [] /XFA [(template) 10 0 R]>> /OCProperties <</OCGs [11 0 R] /D <</OFF [11 0 R]>>>>>>',
  3: '<</Type /Page /Parent 2 0 R /Contents 4 0 R /Resources <</Font <</F1 5 0 R>>>> /Annots [7 0 R 12 0 R]>>',
  6: '<</S /JavaScript /JS (app.alert\\(1\\))>>',
  7: '<</Type /Annot /Subtype /Link /Border [0 0 0] /Rect [0 0 9 9] /A <</S /Launch /F (calc.exe)>>>>',
  8: '<</Type /Filespec /F (a.exe) /EF <</F 9 0 R>>>>',
  9: { dictionary: '/Type /EmbeddedFile', data: 'MZ' },
  10: { dictionary: '', data: '<template/>' },
  11: '<</Type /OCG /Name (Small print)>>',
  12: '<</Type /Annot /Subtype /RichMedia /Rect [0 0 9 9]>>',
});
