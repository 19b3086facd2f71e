# SPDX-License-Identifier: Apache-2.0
import os,random,struct,subprocess,sys
sys.path.insert(0,'.'); from probe_bptc import run
random.seed(7)
rb=lambda n: bytes(random.randrange(256) for _ in range(n))
def bc7():
    out=[]
    for m in range(8):
        for k in range(8):
            v=int.from_bytes(rb(16),'little'); v&=~((1<<(m+1))-1); v|=1<<m; out.append(v.to_bytes(16,'little'))
    return out
def bc6():
    out=[]
    codes=[(0,2),(1,2)]+[(c,5) for c in (2,6,10,14,18,22,26,30,3,7,11,15)]
    for c,n in codes:
        for k in range(4):
            v=int.from_bytes(rb(16),'little'); v&=~((1<<n)-1); v|=c; out.append(v.to_bytes(16,'little'))
    while len(out)<64: 
        v=int.from_bytes(rb(16),'little'); v=v&~31|random.choice((0x13,0x17,0x1b,0x1f)); out.append(v.to_bytes(16,'little'))
    return out
def fxt1(): # each of the eight codes of the mode in turn
    return [b[:15]+bytes([b[15]&31|n%8<<5]) for n,b in enumerate(rb(16) for _ in range(64))]
rnd=lambda n: [rb(n) for _ in range(32)]
F=[('bc1_rgb',0x191,'83F0',8,rnd(8)),('bc1_srgb',0x18B,'8C4D',8,rnd(8)),
('bc4',0x189,'8DBB',8,rnd(8)),('bc4_signed',0x199,'8DBC',8,rnd(8)),('bc5',0x18A,'8DBD',16,rnd(16)),('bc5_signed',0x19A,'8DBE',16,rnd(16)),
('bc6_unsigned',0x1A4,'8E8F',16,bc6()),('bc6_signed',0x1A1,'8E8E',16,bc6()),('bc7',0x1A2,'8E8C',16,bc7()),('bc7_srgb',0x1A3,'8E8D',16,bc7()),
('etc2_rgb',0x1AA,'9274',8,rnd(8)),('etc2_srgb',0x1AF,'9275',8,rnd(8)),('etc2_punch',0x1C0,'9276',8,rnd(8)),('etc2_rgba',0x1C2,'9278',16,rnd(16)),
('eac_r11',0x1AB,'9270',8,rnd(8)),('eac_signed_r11',0x1AD,'9271',8,rnd(8)),('eac_rg11',0x1AC,'9272',16,rnd(16)),('eac_signed_rg11',0x1AE,'9273',16,rnd(16)),('fxt1',0x192,'86B1',16,fxt1())]
# one file: magic header per format: name[24], code u32, astc u32, bytes, bw, bh, blocks; then blocks, then floats
def emit(f,name,code,astc,bb,bw,bh,blocks,px):
    f.write(struct.pack('<24s6I',name.encode(),code,astc,bb,bw,bh,len(blocks)))
    for b in blocks: f.write(b)
    for b in range(len(blocks)):
        for y in range(bh):
            for x in range(bw): f.write(struct.pack('<4f',*px(b,x,y)))
with open('mesa.bin','wb') as f:
    for name,code,gl,bb,blocks in F:
        bw=8 if name=='fxt1' else 4
        px=run(gl,bw,4,bb,blocks,8,len(blocks)//8)
        emit(f,name,code,0,bb,bw,4,blocks,px)
print(os.path.getsize('mesa.bin'))
